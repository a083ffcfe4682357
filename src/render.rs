//! Drawing with three-d.
