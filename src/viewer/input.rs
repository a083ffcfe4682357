//! From keys and the pointer to requests.
//!
//! `action` names what a key or a button asks for; `pointer` decides who owns a drag: the
//! interface, the head, a brush or a collider; `collider_drag` moves and resizes colliders; `hand`
//! is the tool in hand.

pub(crate) mod action;
pub(crate) mod collider_drag;
pub(crate) mod hand;
pub(crate) mod pointer;
