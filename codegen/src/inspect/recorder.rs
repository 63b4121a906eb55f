//! Groups of quantities under construction.

use super::quantities::{Arrangement, GroupRole, QuantityGroup};
use crate::ir::{Graph, Tracer};
use crate::print::report::{Block, Math};

/// Collects the groups of one heading after another.
pub(super) struct Recorder<'g> {
    pub graph: &'g Graph,
    pub groups: Vec<QuantityGroup>,
}

impl<'g> Recorder<'g> {
    /// Blocks that stand where the next group will.
    pub fn say(&mut self, heading: &str, blocks: Vec<Block>) {
        self.groups.push(QuantityGroup {
            heading: heading.to_owned(),
            note: String::new(),
            arrangement: Arrangement::Equations(Vec::new()),
            role: GroupRole::Other,
            intro: blocks,
            nodes: Vec::new(),
        });
    }

    pub fn push(
        &mut self,
        heading: &str,
        note: impl Into<String>,
        role: GroupRole,
        arrangement: Arrangement,
        values: &[Tracer<'g>],
    ) {
        self.groups.push(QuantityGroup {
            heading: heading.to_owned(),
            note: note.into(),
            arrangement,
            role,
            intro: Vec::new(),
            nodes: values.iter().map(|x| x.id(self.graph)).collect(),
        });
    }

    /// `left = right` in symbols.
    pub fn relations(&mut self, heading: &str, text: &str, relations: Vec<(Math, Math)>) {
        let mut blocks = Vec::new();
        if !text.is_empty() {
            blocks.push(Block::Paragraph(text.to_owned()));
        }
        blocks.push(Block::Relations(relations));
        self.say(heading, blocks);
    }
}
