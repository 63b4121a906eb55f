//! stub
/// stub
pub struct Builder;
/// stub
pub struct Item;
