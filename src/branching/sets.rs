//! Disjoint sets whose members can be listed.

pub(super) struct Sets {
    parent: Vec<u32>,
    count: Vec<u32>,
    /// The members of a set, in a ring.
    next: Vec<u32>,
}

impl Sets {
    pub(super) fn new(size: usize) -> Self {
        Sets { parent: (0..size as u32).collect(), count: vec![1; size], next: (0..size as u32).collect() }
    }

    /// The name of a member's set.
    pub(super) fn find(&mut self, mut member: u32) -> u32 {
        while self.parent[member as usize] != member {
            let up = self.parent[self.parent[member as usize] as usize];
            self.parent[member as usize] = up;
            member = up;
        }
        member
    }

    pub(super) fn size(&self, set: u32) -> u32 {
        self.count[set as usize]
    }

    /// The second joins the first, which gives the name.
    pub(super) fn join(&mut self, set: u32, other: u32) -> u32 {
        self.parent[other as usize] = set;
        self.count[set as usize] += self.count[other as usize];
        self.next.swap(set as usize, other as usize);
        set
    }

    /// The member behind this one, and the first one behind the last.
    pub(super) fn next(&self, member: u32) -> u32 {
        self.next[member as usize]
    }

    pub(super) fn members(&self, set: u32) -> Vec<u32> {
        let mut members = Vec::with_capacity(self.size(set) as usize);
        let mut member = set;
        loop {
            members.push(member);
            member = self.next(member);
            if member == set {
                members.sort_unstable();
                return members;
            }
        }
    }
}
