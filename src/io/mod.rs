//! File formats, one a file: read and write beside each other.
