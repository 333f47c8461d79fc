//! Sequences as splay trees: the vertices are the nodes, and the in-order of a tree is a path.
//!
//! Source: D. D. Sleator and R. E. Tarjan, *Self-adjusting binary search trees*, Journal of the ACM 32 (1985) 652–686,
//! doi:10.1145/3828.3835, with a reversal bit at every node, as M. L. Fredman, D. S. Johnson, L. A. McGeoch and
//! G. Ostheimer try for tours in *Data structures for traveling salesmen*, Journal of Algorithms 18 (1995) 432–479. The
//! nodes are the vertices themselves, so finding one needs no search; every operation is `O(log n)` amortised.

use super::sequence::Side;

/// Trees over the same vertices, none of which is in two.
pub(super) struct Forest {
    /// One node a vertex, and one more that stands for "none".
    nodes: Vec<Node>,
    none: u32,
    /// The way from a node up to the root, kept for its memory.
    way: Vec<u32>,
    pub(super) work: u64,
}

#[derive(Clone, Copy)]
pub(super) struct Node {
    /// The subtrees in front of this node and behind it.
    pub(super) children: [u32; 2],
    pub(super) parent: u32,
    /// Nodes in this subtree; 0 where no tree contains the vertex.
    pub(super) size: u32,
    /// Whether the whole subtree is to be read backwards.
    pub(super) reversed: bool,
}

impl Forest {
    /// No trees at all.
    pub(super) fn new(vertex_count: usize) -> Self {
        let none = vertex_count as u32;
        let empty = Node { children: [none; 2], parent: none, size: 0, reversed: false };
        Forest { nodes: vec![empty; vertex_count + 1], none, way: Vec::new(), work: 0 }
    }

    pub(super) fn bytes(vertex_count: usize) -> usize {
        // The nodes, and the way, which may be as long as a tree is large.
        vertex_count * (size_of::<Node>() + size_of::<u32>())
    }

    /// Stands for a tree without nodes.
    #[inline]
    pub(super) fn none(&self) -> u32 {
        self.none
    }

    #[inline]
    pub(super) fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    #[inline]
    pub(super) fn node_mut(&mut self, node: u32) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    /// Makes a tree of this vertex alone.
    pub(super) fn plant(&mut self, vertex: u32) {
        *self.node_mut(vertex) = Node { children: [self.none; 2], parent: self.none, size: 1, reversed: false };
    }

    /// Hands a reversal on to the children.
    #[inline]
    pub(super) fn settle(&mut self, node: u32) {
        let Node { children: [left, right], reversed, .. } = *self.node(node);
        if reversed {
            self.node_mut(left).reversed ^= true;
            self.node_mut(right).reversed ^= true;
            let node = self.node_mut(node);
            (node.children, node.reversed) = ([right, left], false);
        }
    }

    #[inline]
    pub(super) fn count(&mut self, node: u32) {
        let [left, right] = self.node(node).children;
        self.node_mut(node).size = self.node(left).size + self.node(right).size + 1;
    }

    fn rotate(&mut self, node: u32) {
        let parent = self.node(node).parent;
        let grandparent = self.node(parent).parent;
        // Branches are foretold, and the loads behind them begin early; a side that is reckoned makes them wait.
        let child = if self.node(parent).children[0] == node {
            let child = self.node(node).children[1];
            self.node_mut(parent).children[0] = child;
            self.node_mut(node).children[1] = parent;
            child
        } else {
            let child = self.node(node).children[0];
            self.node_mut(parent).children[1] = child;
            self.node_mut(node).children[0] = parent;
            child
        };
        if child != self.none {
            self.node_mut(child).parent = parent;
        }
        self.node_mut(parent).parent = node;
        self.node_mut(node).parent = grandparent;
        if grandparent != self.none {
            if self.node(grandparent).children[0] == parent {
                self.node_mut(grandparent).children[0] = node;
            } else {
                self.node_mut(grandparent).children[1] = node;
            }
        }
        self.count(parent);
        self.count(node);
    }

    /// Brings a node to the root of its tree; its own reversal is settled then.
    pub(super) fn splay(&mut self, node: u32) {
        self.way.clear();
        let mut above = node;
        while above != self.none {
            self.way.push(above);
            above = self.node(above).parent;
        }
        self.work += self.way.len() as u64;
        for step in (0..self.way.len()).rev() {
            self.settle(self.way[step]);
        }
        loop {
            let parent = self.node(node).parent;
            if parent == self.none {
                break;
            }
            let grandparent = self.node(parent).parent;
            if grandparent != self.none {
                let straight =
                    (self.node(grandparent).children[0] == parent) == (self.node(parent).children[0] == node);
                self.rotate(if straight { parent } else { node });
            }
            self.rotate(node);
        }
    }

    /// How many vertices the tree of this one has, which becomes its root.
    #[inline]
    pub(super) fn size(&mut self, vertex: u32) -> u32 {
        self.splay(vertex);
        self.node(vertex).size
    }

    /// How many vertices lie on this side of a root.
    #[inline]
    pub(super) fn size_beside(&self, root: u32, side: Side) -> u32 {
        self.node(self.node(root).children[side as usize]).size
    }

    /// Whether two vertices are in the same tree; `a` becomes a root.
    #[inline]
    pub(super) fn are_together(&mut self, a: u32, b: u32) -> bool {
        self.splay(b);
        self.splay(a);
        a == b || self.node(b).parent != self.none
    }

    /// The side of `root` on which `vertex`, which was the root before it, now is; `None` if it is in another tree.
    #[inline]
    pub(super) fn side_of_former_root(&self, root: u32, vertex: u32) -> Option<Side> {
        let mut below = vertex;
        loop {
            let above = self.node(below).parent;
            if above == self.none {
                return None;
            }
            if above == root {
                let is_behind = self.node(root).children[Side::Back as usize] == below;
                return Some(if is_behind { Side::Back } else { Side::Front });
            }
            below = above;
        }
    }

    /// The neighbour of a root on this side.
    #[inline]
    pub(super) fn neighbour(&mut self, root: u32, side: Side) -> Option<u32> {
        let child = self.node(root).children[side as usize];
        (child != self.none).then(|| self.extreme(child, side.other()))
    }

    /// The outermost vertex of a subtree on this side.
    #[inline]
    pub(super) fn extreme(&mut self, subtree: u32, side: Side) -> u32 {
        let mut node = subtree;
        loop {
            self.work += 1;
            self.settle(node);
            let next = self.node(node).children[side as usize];
            if next == self.none {
                return node;
            }
            node = next;
        }
    }

    /// Turns what lies on this side of a root round.
    pub(super) fn turn(&mut self, root: u32, side: Side) {
        let child = self.node(root).children[side as usize];
        self.node_mut(child).reversed ^= child != self.none;
    }

    /// Cuts off what lies on this side of a root.
    pub(super) fn cut(&mut self, root: u32, side: Side) {
        let child = self.node(root).children[side as usize];
        self.node_mut(child).parent = self.none;
        self.node_mut(root).children[side as usize] = self.none;
        self.count(root);
    }

    /// Hangs the tree of `end`, an outermost vertex of it, on this side of a root, where there is nothing yet, so that both
    /// become neighbours.
    pub(super) fn hang(&mut self, root: u32, side: Side, end: u32) {
        self.splay(end);
        if self.node(end).children[side.other() as usize] != self.none {
            self.node_mut(end).reversed ^= true;
            self.settle(end);
        }
        self.node_mut(end).parent = root;
        self.node_mut(root).children[side as usize] = end;
        self.count(root);
    }
}
