//! A path too long for an array: a splay tree whose in-order is the path.
//!
//! Source: D. D. Sleator and R. E. Tarjan, *Self-adjusting binary search trees*, Journal of the ACM 32 (1985) 652–686,
//! doi:10.1145/3828.3835, with a reversal bit at every node, as M. L. Fredman, D. S. Johnson, L. A. McGeoch and
//! G. Ostheimer try for tours in *Data structures for traveling salesmen*, Journal of Algorithms 18 (1995) 432–479. The
//! nodes are the vertices themselves, so finding one needs no search; every operation is `O(log n)` amortised.

use super::sequence::{Sequence, Side};

/// A sequence in a splay tree.
pub(super) struct SplayTree {
    /// One node a vertex, and one more that stands for "none".
    nodes: Vec<Node>,
    root: u32,
    none: u32,
    /// The way from a node up to the root, kept for its memory.
    way: Vec<u32>,
    work: u64,
}

#[derive(Clone, Copy)]
struct Node {
    left: u32,
    right: u32,
    parent: u32,
    /// Nodes in this subtree; 0 where the sequence does not contain the vertex.
    size: u32,
    /// Whether the whole subtree is to be read backwards.
    reversed: bool,
}

impl SplayTree {
    fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    fn node_mut(&mut self, node: u32) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    /// Hands a reversal on to the children.
    fn settle(&mut self, node: u32) {
        let Node { left, right, reversed, .. } = *self.node(node);
        if reversed {
            self.node_mut(left).reversed ^= true;
            self.node_mut(right).reversed ^= true;
            let node = self.node_mut(node);
            (node.left, node.right, node.reversed) = (right, left, false);
        }
    }

    fn count(&mut self, node: u32) {
        let Node { left, right, .. } = *self.node(node);
        self.node_mut(node).size = self.node(left).size + self.node(right).size + 1;
    }

    fn rotate(&mut self, node: u32) {
        let parent = self.node(node).parent;
        let grandparent = self.node(parent).parent;
        let child = if self.node(parent).left == node {
            let child = self.node(node).right;
            self.node_mut(parent).left = child;
            self.node_mut(node).right = parent;
            child
        } else {
            let child = self.node(node).left;
            self.node_mut(parent).right = child;
            self.node_mut(node).left = parent;
            child
        };
        if child != self.none {
            self.node_mut(child).parent = parent;
        }
        self.node_mut(parent).parent = node;
        self.node_mut(node).parent = grandparent;
        if grandparent != self.none {
            if self.node(grandparent).left == parent {
                self.node_mut(grandparent).left = node;
            } else {
                self.node_mut(grandparent).right = node;
            }
        }
        self.count(parent);
        self.count(node);
    }

    /// Brings a node to the root of its tree; its own reversal is settled then.
    fn splay(&mut self, node: u32) {
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
                let straight = (self.node(grandparent).left == parent) == (self.node(parent).left == node);
                self.rotate(if straight { parent } else { node });
            }
            self.rotate(node);
        }
    }

    /// The node at a rank within a tree, brought to its root.
    fn find(&mut self, root: u32, mut rank: usize) -> u32 {
        let mut node = root;
        loop {
            self.settle(node);
            let Node { left, right, .. } = *self.node(node);
            let before = self.node(left).size as usize;
            if rank < before {
                node = left;
            } else if rank == before {
                break;
            } else {
                rank -= before + 1;
                node = right;
            }
        }
        self.splay(node);
        node
    }

    /// Cuts a tree in front of a rank.
    fn split(&mut self, root: u32, rank: usize) -> (u32, u32) {
        if rank == 0 {
            return (self.none, root);
        }
        if rank == self.node(root).size as usize {
            return (root, self.none);
        }
        let right = self.find(root, rank);
        let left = self.node(right).left;
        self.node_mut(right).left = self.none;
        self.node_mut(left).parent = self.none;
        self.count(right);
        (left, right)
    }

    /// Joins two trees in this order.
    fn join(&mut self, left: u32, right: u32) -> u32 {
        if left == self.none {
            return right;
        }
        if right == self.none {
            return left;
        }
        let root = self.find(left, self.node(left).size as usize - 1);
        self.node_mut(root).right = right;
        self.node_mut(right).parent = root;
        self.count(root);
        root
    }

    /// A balanced tree of these vertices.
    fn build(&mut self, vertices: &[u32]) -> u32 {
        let middle_of = |from: usize, to: usize| vertices[(from + to) / 2];
        // Stretches still to be built, each with the node above.
        let mut open = vec![(0, vertices.len(), self.none)];
        while let Some((from, to, parent)) = open.pop() {
            if from == to {
                continue;
            }
            let middle = (from + to) / 2;
            let node = vertices[middle];
            let left = if from < middle { middle_of(from, middle) } else { self.none };
            let right = if middle + 1 < to { middle_of(middle + 1, to) } else { self.none };
            *self.node_mut(node) = Node { left, right, parent, size: (to - from) as u32, reversed: false };
            open.push((from, middle, node));
            open.push((middle + 1, to, node));
        }
        self.work += vertices.len() as u64;
        if vertices.is_empty() { self.none } else { middle_of(0, vertices.len()) }
    }

    /// Calls `visit` with every vertex of a tree from front to back.
    fn walk(&mut self, root: u32, mut visit: impl FnMut(&mut Self, u32)) {
        let mut stack = Vec::new();
        let mut node = root;
        loop {
            while node != self.none {
                self.settle(node);
                stack.push(node);
                node = self.node(node).left;
            }
            let Some(next) = stack.pop() else { break };
            node = self.node(next).right;
            visit(self, next);
        }
    }
}

impl Sequence for SplayTree {
    fn new(vertex_count: usize) -> Self {
        let none = vertex_count as u32;
        let empty = Node { left: none, right: none, parent: none, size: 0, reversed: false };
        SplayTree { nodes: vec![empty; vertex_count + 1], root: none, none, way: Vec::new(), work: 0 }
    }

    fn bytes(vertex_count: usize) -> usize {
        // The nodes, and the way, which may be as long as the tree is large.
        vertex_count * (size_of::<Node>() + size_of::<u32>())
    }

    fn len(&self) -> usize {
        self.node(self.root).size as usize
    }

    fn contains(&self, vertex: u32) -> bool {
        self.node(vertex).size != 0
    }

    fn rank(&mut self, vertex: u32) -> usize {
        self.splay(vertex);
        self.root = vertex;
        self.node(self.node(vertex).left).size as usize
    }

    fn at(&mut self, rank: usize) -> u32 {
        self.root = self.find(self.root, rank);
        self.root
    }

    fn push(&mut self, side: Side, vertex: u32) {
        let none = self.none;
        *self.node_mut(vertex) = Node { left: none, right: none, parent: none, size: 1, reversed: false };
        self.root = match side {
            Side::Front => self.join(vertex, self.root),
            Side::Back => self.join(self.root, vertex),
        };
    }

    fn pop(&mut self, side: Side) -> u32 {
        let vertex = match side {
            Side::Front => {
                let (vertex, rest) = self.split(self.root, 1);
                self.root = rest;
                vertex
            }
            Side::Back => {
                let (rest, vertex) = self.split(self.root, self.len() - 1);
                self.root = rest;
                vertex
            }
        };
        self.node_mut(vertex).size = 0;
        vertex
    }

    fn reverse(&mut self, from: usize, to: usize) {
        let (rest, tail) = self.split(self.root, to);
        let (head, turned) = self.split(rest, from);
        self.node_mut(turned).reversed ^= turned != self.none;
        let rest = self.join(head, turned);
        self.root = self.join(rest, tail);
    }

    fn shared_bounds(&mut self, from: usize, middle: usize, to: usize) {
        let (rest, tail) = self.split(self.root, to);
        let (rest, second) = self.split(rest, middle);
        let (head, first) = self.split(rest, from);
        let rest = self.join(head, second);
        let rest = self.join(rest, first);
        self.root = self.join(rest, tail);
    }

    fn replace(&mut self, from: usize, to: usize, by: &[u32]) {
        let (rest, tail) = self.split(self.root, to);
        let (head, dropped) = self.split(rest, from);
        self.walk(dropped, |tree, vertex| tree.node_mut(vertex).size = 0);
        let new = self.build(by);
        let rest = self.join(head, new);
        self.root = self.join(rest, tail);
    }

    fn load(&mut self, vertices: &[u32]) {
        self.walk(self.root, |tree, vertex| tree.node_mut(vertex).size = 0);
        self.root = self.build(vertices);
    }

    fn store(&mut self, into: &mut Vec<u32>) {
        into.clear();
        self.walk(self.root, |_, vertex| into.push(vertex));
        self.work += into.len() as u64;
    }

    fn work(&self) -> u64 {
        self.work
    }
}
