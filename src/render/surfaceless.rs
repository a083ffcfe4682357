//! A context without a window. glutin and glow mark each call that reaches the driver as unsafe, and
//! three-d opens no context without a window.

use glutin::api::egl::{device::Device, display::Display};
use glutin::config::{ConfigSurfaceTypes, ConfigTemplateBuilder};
use glutin::context::{ContextApi, ContextAttributesBuilder, Version};
use glutin::prelude::*;
use std::{error::Error, ffi::CString, sync::Arc};
use three_d::Context;

/// A context that is current on this thread. It must outlive all that three-d draws with it.
pub type Current = glutin::api::egl::context::PossiblyCurrentContext;

/// Opens a surfaceless OpenGL 3.3 context on the first EGL device that offers one. The error is
/// that of the last device.
pub fn open_first() -> Result<(Context, Current), String> {
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
