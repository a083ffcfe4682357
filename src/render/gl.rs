//! Questions to the driver, and waiting for it. glow marks each call that reaches the driver as unsafe,
//! and three-d does not report its limits.

use three_d::{Context, HasContext};

/// Returns the longest side of a texture that the driver allows, pixels.
#[allow(unsafe_code)] // A pure query.
pub fn max_texture_size(context: &Context) -> u32 {
    let size = unsafe { context.get_parameter_i32(three_d::context::MAX_TEXTURE_SIZE) };
    u32::try_from(size).unwrap_or(2048).min(16_384)
}

/// Returns the name of the renderer, and whether it draws on the CPU.
#[allow(unsafe_code)] // A pure query.
pub fn renderer_name(context: &Context) -> (String, bool) {
    /// A browser says `RENDERER` to all pages alike, and this name to those that ask for the
    /// extension `WEBGL_debug_renderer_info`, as `web/page.js` does.
    const UNMASKED_RENDERER: u32 = 0x9246;
    let ask = |name| unsafe { context.get_parameter_string(name) };
    let unmasked = cfg!(target_arch = "wasm32").then(|| ask(UNMASKED_RENDERER));
    let unmasked = unmasked.filter(|name| !name.is_empty());
    let name = unmasked.unwrap_or_else(|| ask(three_d::context::RENDERER));
    let lower = name.to_lowercase();
    let on_cpu = ["llvmpipe", "softpipe", "swiftshader", "software"];
    (name, on_cpu.iter().any(|s| lower.contains(s)))
}

/// Returns `true` if textures of 32-bit floats can be filtered, and drawn into with blending. In
/// pages on phones they often cannot.
pub fn blends_floats(context: &Context) -> bool {
    let known = context.supported_extensions();
    let mut needs = ["OES_texture_float_linear", "EXT_float_blend"].into_iter();
    !cfg!(target_arch = "wasm32") || needs.all(|name| known.contains(name))
}

/// Waits until all is drawn.
#[allow(unsafe_code)] // Only waits.
pub fn finish(context: &Context) {
    unsafe { context.finish() };
}

/// A mark behind all that the driver has been told to draw.
pub struct Fence(Context, three_d::context::Fence);

impl Fence {
    /// Waits for the mark before, and sets another one.
    #[allow(unsafe_code)] // Waits and sets a mark of this context; `Drop` removes it.
    pub fn after(before: Option<Self>, context: &Context) -> Option<Self> {
        use three_d::context::{SYNC_FLUSH_COMMANDS_BIT, SYNC_GPU_COMMANDS_COMPLETE};
        let fence = unsafe { context.fence_sync(SYNC_GPU_COMMANDS_COMPLETE, 0) };
        if let Some(Self(context, mark)) = &before {
            unsafe { context.client_wait_sync(*mark, SYNC_FLUSH_COMMANDS_BIT, i32::MAX) };
        }
        Some(Self(context.clone(), fence.ok()?))
    }
}

impl Drop for Fence {
    #[allow(unsafe_code)] // Nothing else has the mark.
    fn drop(&mut self) {
        unsafe { self.0.delete_sync(self.1) };
    }
}
