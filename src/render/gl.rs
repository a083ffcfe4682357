//! The only unsafe code of the crate: glutin and glow mark each call that reaches the driver
//! as unsafe, and three-d neither opens a context without a window nor reports driver limits.

use glutin::api::egl::{device::Device, display::Display};
use glutin::config::{ConfigSurfaceTypes, ConfigTemplateBuilder};
use glutin::context::{ContextApi, ContextAttributesBuilder, Version};
use glutin::prelude::*;
use std::{error::Error, ffi::CString, sync::Arc};
use three_d::{Context, HasContext};

/// A context that is current on this thread. It must outlive all that three-d draws with it.
pub type Current = glutin::api::egl::context::PossiblyCurrentContext;

/// Opens a surfaceless OpenGL 3.3 context on the first EGL device that offers one. The error is
/// that of the last device.
pub fn open_surfaceless() -> Result<(Context, Current), String> {
    let mut last = "no EGL device found".to_owned();
    for device in Device::query_devices().map_err(|e| e.to_string())? {
        match open(&device) {
            Ok(opened) => return Ok(opened),
            Err(why) => last = why.to_string(),
        }
    }
    Err(last)
}

#[allow(unsafe_code)] // Each call has its reason below.
fn open(device: &Device) -> Result<(Context, Current), Box<dyn Error>> {
    // Safe: the device was just enumerated, and no native display is named.
    let display = unsafe { Display::with_device(device, None) }?;
    let template = ConfigTemplateBuilder::new()
        .with_surface_type(ConfigSurfaceTypes::empty())
        .build();
    // Safe: the template names no native window.
    let config = unsafe { display.find_configs(template) }?.next();
    let config = config.ok_or("the EGL device offers no configuration")?;
    let attributes = ContextAttributesBuilder::new()
        .with_context_api(ContextApi::OpenGl(Some(Version::new(3, 3))))
        .build(None);
    // Safe: the configuration belongs to this display.
    let gl = unsafe { display.create_context(&config, &attributes) }?;
    let gl = gl.make_current_surfaceless()?;
    // Safe: the context was just made current on this thread, where it stays.
    let functions = unsafe {
        three_d::context::Context::from_loader_function(|name| {
            CString::new(name).map_or(std::ptr::null(), |name| display.get_proc_address(&name))
        })
    };
    Ok((Context::from_gl_context(Arc::new(functions))?, gl))
}

/// Returns the longest side of a texture that the driver allows, pixels.
#[allow(unsafe_code)] // A pure query.
pub fn max_texture_size(context: &Context) -> u32 {
    let size = unsafe { context.get_parameter_i32(three_d::context::MAX_TEXTURE_SIZE) };
    u32::try_from(size).unwrap_or(2048).min(16_384)
}

/// Returns the name of the renderer, and whether it draws on the CPU.
#[allow(unsafe_code)] // A pure query.
pub fn renderer_name(context: &Context) -> (String, bool) {
    let name = unsafe { context.get_parameter_string(three_d::context::RENDERER) };
    let lower = name.to_lowercase();
    let on_cpu = ["llvmpipe", "softpipe", "swiftshader", "software"];
    (name, on_cpu.iter().any(|s| lower.contains(s)))
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
