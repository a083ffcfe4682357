//! Orthographic views of a scalp, and its surface shaded in pixels.
//!
//! The surface is drawn in pixels instead of polygons: no gaps show between triangles, hidden parts
//! are hidden exactly, and the size of the file does not depend on the number of triangles.

use glam::{DVec2, DVec3, Vec3};
use mohawk::scalp::{Scalp, SurfacePoint};

/// Samples of the surface per pixel and axis.
const OVERSAMPLING: usize = 2;

/// Colours of the outside and of the inside of the skin, sRGB from 0 to 255.
const OUTSIDE: DVec3 = DVec3::new(232.0, 226.0, 219.0);
const INSIDE: DVec3 = DVec3::new(196.0, 197.0, 204.0);

/// Shortest mean normal that gives a view direction, as a share of the area. A scalp that goes all
/// around has a shorter one.
const SHORTEST_MEAN: f64 = 0.2;

/// Share of the view that the scalp fills. The discs of roots reach over its edge.
const FILLED: f64 = 0.95;

/// An orthographic view.
#[derive(Clone, Debug)]
pub struct View {
    /// Unit axes: to the right, up and towards the viewer.
    right: DVec3,
    up: DVec3,
    pub toward: DVec3,
    /// The point in the middle.
    centre: DVec3,
    /// The scale, in pixels per unit of length.
    pub scale: f64,
    /// The size of the scalp in a view of all of it.
    pub extent: DVec2,
    /// The size, in pixels.
    pub size: DVec2,
}

impl View {
    /// Returns a view against a direction, with +Y up if possible.
    fn along(toward: DVec3, size: DVec2) -> View {
        let upright = match toward.y.abs() > 0.9 {
            true => DVec3::NEG_Z,
            false => DVec3::Y,
        };
        let right = upright.cross(toward).normalize_or(DVec3::X);
        View {
            right,
            up: toward.cross(right),
            toward,
            centre: DVec3::ZERO,
            scale: 1.0,
            extent: DVec2::ZERO,
            size,
        }
    }

    /// Returns a view of all of a scalp against its mean normal.
    pub fn whole(scalp: &Scalp, size: DVec2) -> View {
        let areas = scalp.triangle_areas().iter().zip(0..);
        let sides = areas.map(|(area, face)| scalp.face_normal(face).as_dvec3() * *area);
        let sum: DVec3 = sides.sum();
        let toward = match sum.length() > SHORTEST_MEAN * scalp.area() {
            true => sum.normalize(),
            false => DVec3::new(0.5, 0.4, 0.8).normalize(),
        };
        let mut view = View::along(toward, size);
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for &v in scalp.triangles().iter().flatten() {
            let p = view.project(scalp.positions()[v as usize]).truncate();
            (low, high) = (low.min(p), high.max(p));
        }
        view.move_to(0.5 * (low + high));
        view.extent = (high - low).max(DVec2::splat(1e-30));
        view.scale = FILLED * (size / view.extent).min_element();
        view
    }

    /// Returns a view of a point, with the length `across` on its shorter side.
    pub fn near(point: Vec3, normal: Vec3, across: f64, size: DVec2) -> View {
        let mut view = View::along(normal.as_dvec3().normalize_or(DVec3::Z), size);
        view.centre = point.as_dvec3();
        view.scale = size.min_element() / across.max(1e-30);
        view
    }

    /// Moves the point at a pixel to the middle.
    pub fn move_to(&mut self, p: DVec2) {
        let away = (p - 0.5 * self.size) / self.scale;
        self.centre += self.right * away.x - self.up * away.y;
    }

    /// Projects a point: x and y in pixels with y down, z as a length towards the viewer.
    pub fn project(&self, p: Vec3) -> DVec3 {
        self.project_exact(p.as_dvec3())
    }

    /// Projects a point in double precision, as [`project`](Self::project) does.
    pub fn project_exact(&self, p: DVec3) -> DVec3 {
        let p = p - self.centre;
        DVec3::new(
            0.5 * self.size.x + self.scale * p.dot(self.right),
            0.5 * self.size.y - self.scale * p.dot(self.up),
            p.dot(self.toward),
        )
    }

    /// Returns the corners of the view at the depth of its centre.
    pub fn corners(&self) -> [DVec3; 4] {
        let half = 0.5 * self.size / self.scale;
        let (x, y) = (self.right * half.x, self.up * half.y);
        [-x - y, x - y, x + y, y - x].map(|corner| self.centre + corner)
    }

    /// Turns a direction into the axes of the view with y down; z is the cosine to the line of
    /// sight.
    pub fn turn(&self, n: Vec3) -> DVec3 {
        let n = n.as_dvec3();
        DVec3::new(n.dot(self.right), -n.dot(self.up), n.dot(self.toward))
    }

    /// Returns `true` if a projected point is in the view or at most `margin` pixels outside.
    pub fn contains(&self, p: DVec3, margin: f64) -> bool {
        let p = p.truncate();
        p.cmpge(DVec2::splat(-margin)).all() && p.cmple(self.size + margin).all()
    }
}

/// The pixels of a visible surface.
pub struct Surface {
    across: usize,
    down: usize,
    /// The depth towards the viewer; −∞ without a surface.
    depth: Vec<f32>,
    color: Vec<[u8; 3]>,
}

impl Surface {
    /// Draws the surface of a scalp.
    pub fn of(scalp: &Scalp, view: &View) -> Surface {
        let [across, down] = (view.size.to_array()).map(|side| side as usize * OVERSAMPLING);
        let mut surface = Surface {
            across,
            down,
            depth: vec![f32::NEG_INFINITY; across * down],
            color: vec![[255; 3]; across * down],
        };
        let light = (view.toward + 0.5 * view.up - 0.4 * view.right).normalize();
        for (triangle, corners) in scalp.triangles().iter().enumerate() {
            let corners = corners.map(|v| view.project(scalp.positions()[v as usize]));
            surface.triangle(scalp, triangle as u32, corners, light);
        }
        surface
    }

    fn triangle(&mut self, scalp: &Scalp, triangle: u32, corners: [DVec3; 3], light: DVec3) {
        let fine = OVERSAMPLING as f64;
        let [a, b, c] = corners.map(|p| DVec3::new(p.x * fine, p.y * fine, p.z));
        let [ab, ac] = [(b - a).truncate(), (c - a).truncate()];
        let twice_area = ab.perp_dot(ac);
        if twice_area == 0.0 || !twice_area.is_finite() {
            return;
        }
        let low = a.min(b).min(c).max(DVec3::ZERO);
        let high = a.max(b).max(c);
        // The casts saturate, and ranges that end before they start are empty.
        let rows = low.y as usize..(high.y.max(-1.0) + 1.0).min(self.down as f64) as usize;
        let columns = low.x as usize..(high.x.max(-1.0) + 1.0).min(self.across as f64) as usize;
        // y points down: triangles that face the viewer are clockwise.
        let base = if twice_area < 0.0 { OUTSIDE } else { INSIDE };
        let side = if twice_area < 0.0 { 1.0 } else { -1.0 };
        for y in rows {
            for x in columns.clone() {
                let p = DVec2::new(x as f64 + 0.5, y as f64 + 0.5) - a.truncate();
                let (v, w) = (p.perp_dot(ac) / twice_area, ab.perp_dot(p) / twice_area);
                let u = 1.0 - v - w;
                // Neighbours overlap slightly, so that rounding leaves no gaps.
                if u.min(v).min(w) < -1e-9 {
                    continue;
                }
                let depth = (u * a.z + v * b.z + w * c.z) as f32;
                let here = y * self.across + x;
                if depth > self.depth[here] {
                    let weights = DVec3::new(u, v, w).as_vec3();
                    let normal = scalp.normal(SurfacePoint { triangle, weights });
                    let lit = (side * normal.as_dvec3().dot(light)).max(0.0);
                    let color = (base * (0.62 + 0.40 * lit)).min(DVec3::splat(255.0));
                    self.depth[here] = depth;
                    self.color[here] = color.to_array().map(|channel| channel as u8);
                }
            }
        }
    }

    /// Returns `true` if a projected point is not behind the surface by more than `slack`.
    pub fn shows(&self, p: DVec3, slack: f64) -> bool {
        self.sample(p)
            .is_none_or(|here| p.z + slack >= f64::from(self.depth[here]))
    }

    /// Colours one pixel.
    pub fn spot(&mut self, p: DVec3, color: [u8; 3]) {
        for (x, y) in [(0.0, 0.0), (0.5, 0.0), (0.0, 0.5), (0.5, 0.5)] {
            if let Some(here) = self.sample(p + DVec3::new(x, y, 0.0)) {
                self.color[here] = color;
            }
        }
    }

    fn sample(&self, p: DVec3) -> Option<usize> {
        let fine = OVERSAMPLING as f64;
        let inside = p.x >= 0.0 && p.y >= 0.0;
        let (x, y) = ((p.x * fine) as usize, (p.y * fine) as usize);
        (inside && x < self.across && y < self.down).then_some(y * self.across + x)
    }

    /// Returns a picture that is transparent without a surface.
    pub fn picture(&self) -> image::RgbaImage {
        let [width, height] = [self.across, self.down].map(|side| (side / OVERSAMPLING) as u32);
        image::RgbaImage::from_fn(width, height, |x, y| {
            let (mut sum, mut covered) = ([0_u32; 3], 0);
            for fine in 0..OVERSAMPLING * OVERSAMPLING {
                let x = x as usize * OVERSAMPLING + fine % OVERSAMPLING;
                let y = y as usize * OVERSAMPLING + fine / OVERSAMPLING;
                let here = y * self.across + x;
                if self.depth[here] > f32::NEG_INFINITY {
                    covered += 1;
                    for (sum, channel) in sum.iter_mut().zip(self.color[here]) {
                        *sum += u32::from(channel);
                    }
                }
            }
            let [r, g, b] = sum.map(|sum| (sum / covered.max(1)) as u8);
            let alpha = 255 * covered / (OVERSAMPLING * OVERSAMPLING) as u32;
            image::Rgba([r, g, b, alpha as u8])
        })
    }
}
