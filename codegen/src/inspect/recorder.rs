//! Groups of quantities under construction.

use super::quantities::{Arrangement, Group, Role};
use crate::ir::{Graph, Tracer};
use crate::print::report::{Block, MathText};

/// Collects the groups of one heading after another.
pub(super) struct Recorder<'g> {
    pub graph: &'g Graph,
    pub groups: Vec<Group>,
}

impl<'g> Recorder<'g> {
    /// Blocks that stand where the next group will.
    pub fn say(&mut self, heading: &str, blocks: Vec<Block>) {
        self.groups.push(Group {
            heading: heading.to_owned(),
            note: String::new(),
            arrangement: Arrangement::Equations(Vec::new()),
            role: Role::Other,
            intro: blocks,
            nodes: Vec::new(),
        });
    }

    pub fn push(
        &mut self,
        heading: &str,
        note: impl Into<String>,
        role: Role,
        arrangement: Arrangement,
        values: &[Tracer<'g>],
    ) {
        self.groups.push(Group {
            heading: heading.to_owned(),
            note: note.into(),
            arrangement,
            role,
            intro: Vec::new(),
            nodes: values.iter().map(|x| x.id(self.graph)).collect(),
        });
    }

    /// `left = right` in symbols.
    pub fn relations(&mut self, heading: &str, text: &str, relations: Vec<(MathText, MathText)>) {
        let mut blocks = Vec::new();
        if !text.is_empty() {
            blocks.push(Block::Paragraph(text.to_owned()));
        }
        blocks.push(Block::Relations(relations));
        self.say(heading, blocks);
    }
}
