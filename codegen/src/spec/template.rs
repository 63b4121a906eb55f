//! stub
/// stub
pub fn template(_name: &str) -> String {
    String::new()
}
