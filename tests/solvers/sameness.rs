//! The same motion at every frame rate.

use super::*;
use std::sync::Arc;

#[test]
fn every_frame_rate_gives_the_same_positions_at_equal_times() {
    let groom = grown(20);
    for solver in SolverKind::ALL {
        for scene in Scene::ALL {
            let mut expected = None;
            for fps in [30, 60, 144, 240] {
                let mut simulation = in_scene(scene, solver, &groom);
                for _ in 0..2 * fps {
                    simulation.advance(1.0 / f64::from(fps), &mut |t| scene.pose(t));
                }
                assert_eq!(simulation.steps(), 480);
                let state = particles(&simulation);
                let expected = expected.get_or_insert_with(|| state.clone());
                assert_eq!(&state, expected, "{solver}, {scene}, {fps} frames a second");
            }
        }
    }
}

/// A head that is dragged moves evenly at any frame rate.
#[test]
fn a_head_that_is_moved_every_frame_moves_evenly() {
    for fps in [60.0, 75.0, 144.0, 165.0, 240.0, 360.0] {
        let mut simulation = Simulation::new(grown(20), with(SolverKind::Ftl), Pose::IDENTITY);
        let mut heights = vec![0.0];
        for frame in 1..=60 {
            let to = Pose::new(DQuat::IDENTITY, DVec3::Y * (f64::from(frame) / fps));
            let mut poses = simulation.poses_to(1.0 / fps, to);
            simulation.advance(1.0 / fps, &mut |time| {
                let pose = poses(time);
                heights.push(pose.translation.y);
                pose
            });
        }
        let ways = heights.windows(2).map(|pair| (pair[1] - pair[0]) * 240.0);
        let (least, most) = ways.fold((f64::MAX, 0.0_f64), |(a, b), way| (a.min(way), b.max(way)));
        assert!(least > 0.99 && most < 1.01, "{fps}: {least} to {most}");
        // It arrives where it was sent.
        for _ in 0..40 {
            let to = Pose::new(DQuat::IDENTITY, DVec3::Y * (60.0 / fps));
            let mut poses = simulation.poses_to(1.0 / fps, to);
            simulation.advance(1.0 / fps, &mut poses);
        }
        let way = simulation.drawn_pose().translation.y - 60.0 / fps;
        assert!(way.abs() < 1e-6, "{fps}: {way}");
    }
}

/// One pose a frame, as from a file. Hair hangs: the last bit decides to which side hair falls
/// that stands up and is not held.
#[test]
fn poses_sampled_once_a_frame_change_little() {
    let mut groom = grown(60);
    groom.directions.fill(Vec3::NEG_Y);
    // Begins smoothly, as heads do.
    let nod = |t: f64| {
        let strength = 0.4 * (2.0 * t).min(1.0).powi(2);
        Pose::about_neck(DQuat::from_rotation_x(strength * (TAU * t).sin()))
    };
    for (solver, hold) in SolverKind::ALL
        .into_iter()
        .flat_map(|s| [(s, 0.0), (s, 0.5)])
    {
        let tips_at = |fps: i32| {
            let settings = SimSettings {
                hold,
                ..with(solver)
            };
            let mut simulation = Simulation::new(&groom, settings, Pose::IDENTITY);
            let poses = (0..=3 * fps).map(|frame| nod(f64::from(frame) / f64::from(fps)));
            let track = PoseTrack::new(poses, f64::from(fps)).unwrap();
            let mut tips = Vec::new();
            for frame in 0..3 * fps {
                simulation.advance(1.0 / f64::from(fps), &mut |t| track.at(t));
                if (frame + 1) % (fps / 30) == 0 {
                    tips.extend(
                        particles(&simulation)
                            .chunks(12)
                            .map(|strand| xyz(&strand[11])),
                    );
                }
            }
            tips
        };
        let (coarse, fine) = (tips_at(30), tips_at(240));
        let lengths = groom.lengths.iter().cycle();
        let apart = (coarse.iter().zip(&fine).zip(lengths))
            .map(|((a, b), &length)| a.distance(*b) / f64::from(length));
        let apart = apart.fold(0.0, f64::max);
        assert!(apart < 0.04, "{solver}, hold {hold}: {apart}");
    }
}

/// Hair against hair: what a strand adds to the grid must not depend on the order.
#[test]
fn the_number_of_threads_changes_nothing_of_crowds() {
    let groom = grown(2_001);
    let on = |solver: SolverKind, threads: usize| {
        let mut settings = with(solver);
        settings.hair.friction = 5.0;
        settings.hair.repulsion = 50.0;
        on_threads(threads, || {
            let mut simulation = on_ball(&groom, settings.clone());
            for _ in 0..20 {
                simulation.advance(0.03, &mut |t| Scene::Run.pose(t));
            }
            hash(particles(&simulation).into_iter().flatten())
        })
    };
    for solver in OF_PARTICLES {
        let expected = on(solver, 1);
        assert_eq!([on(solver, 2), on(solver, 7)], [expected; 2], "{solver}");
    }
}

/// Returns the strands of a scene at rest: its own, or `groom` on a ball, combed.
fn in_scene(scene: Scene, solver: SolverKind, groom: &Groom) -> Simulation {
    let mut settings = SimSettings {
        sag_free: true,
        ..with(solver)
    };
    scene.prepare(&mut settings);
    match scene.strands() {
        Some(strands) => Simulation::new(&strands, settings, Pose::IDENTITY),
        None => {
            let mut groom = Arc::new(groom.clone());
            scene.comb(&mut groom);
            on_ball(&groom, settings)
        }
    }
}

/// Returns a hash of every scene with every solver, on so many threads.
fn hashes(threads: usize) -> [[u64; 5]; 11] {
    on_threads(threads, || {
        // Enough tips and particles for several threads.
        let (many, some) = (grown(5_003), grown(1_701));
        let curls = curled(1_701);
        Scene::ALL.map(|scene| {
            SolverKind::ALL.map(|solver| {
                let groom = match (solver, scene) {
                    (SolverKind::Spring, _) => &many,
                    // One scene of curls, which bend and twist by code of their own.
                    (SolverKind::Rod, Scene::Swing) => &curls,
                    _ => &some,
                };
                let mut simulation = in_scene(scene, solver, groom);
                for _ in 0..2 {
                    simulation.advance(1.0 / 24.0, &mut |t| scene.pose(t));
                }
                hash(particles(&simulation).into_iter().flatten())
            })
        })
    })
}

/// One for each scene and solver, in the order of their lists. When a change is meant to alter the
/// motion, put the new values here: the failing test prints them.
const HASHES: [[u64; 5]; 11] = [
    [
        0x6c1e_3447_02ce_f23e,
        0x416e_fffa_9f3b_b3c4,
        0x51f5_00ff_8a9c_f77c,
        0x20b1_c2cb_fcc0_a993,
        0xa9a6_a78e_f5d7_13b3,
    ],
    [
        0x5956_8603_3ff4_db82,
        0x2429_1ef1_0d28_55f7,
        0x4b02_0a37_cd90_55d1,
        0x248f_be69_f6e2_e955,
        0xa4b0_a564_03db_bbc7,
    ],
    [
        0x24f2_e034_f18a_bac2,
        0xfcb3_ab00_2183_3113,
        0x24cf_7c5d_a519_cbc0,
        0x469a_85f8_fe72_443d,
        0x10d3_7ed8_ab80_ce97,
    ],
    [
        0xcb65_525e_7b27_31c4,
        0x8fe2_97f6_32b5_8512,
        0xd986_2e81_724f_cba4,
        0xf8ea_b401_6308_e4f2,
        0xbb0d_3fbb_4aea_c0e0,
    ],
    [
        0xc12b_e7d8_0cde_b543,
        0xa764_36c7_ed1d_8fc2,
        0x447d_c577_93ea_ac99,
        0x6657_6673_0149_078e,
        0xd111_19a4_1861_1b1e,
    ],
    [
        0xdcb0_56cb_8dd0_0fa9,
        0x12b1_dc15_0870_2c32,
        0x5ab2_f128_5f40_a47a,
        0x1af9_ffc0_f319_7677,
        0xac7c_0311_116c_cce9,
    ],
    [
        0x4e90_4a17_76d0_ac85,
        0xc495_4845_cbf5_e92c,
        0x1e85_928f_aa0e_b5bc,
        0xecc7_8ef4_13a6_c15c,
        0xd6ed_1b96_57e2_9acf,
    ],
    [
        0x977c_6fa4_1740_4b8c,
        0x416e_fffa_9f3b_b3c4,
        0x51f5_00ff_8a9c_f77c,
        0x20b1_c2cb_fcc0_a993,
        0x9507_480e_2327_a042,
    ],
    [
        0x3525_26f0_73cd_9f34,
        0x64a6_bc54_811e_be06,
        0xdb4c_b595_26e6_7776,
        0x8cad_d94f_b720_d9eb,
        0x32cc_99f7_f173_f4ee,
    ],
    [
        0x869b_99d6_cf93_0148,
        0x8555_82e5_3e3e_a37a,
        0x3d54_ae84_4bdd_cd7d,
        0x665f_b2b9_59dc_81e5,
        0xa215_536f_b1c0_dfeb,
    ],
    [
        0x81f5_3ec7_65ae_82ee,
        0xc261_e505_52c5_0d0c,
        0x335e_b36e_7df5_ea18,
        0xf0d3_c981_9951_0193,
        0xd734_deb1_a2b3_ba57,
    ],
];

#[test]
fn every_scene_gives_the_recorded_bits_on_any_number_of_threads() {
    for threads in [1, 2, 7] {
        let got = hashes(threads);
        assert_eq!(got, HASHES, "{threads} threads: {got:#x?}");
    }
}

/// Runs that test in processes that may use these instructions only.
#[cfg(target_arch = "x86_64")]
#[test]
fn every_scene_gives_the_recorded_bits_with_any_instructions() {
    use std::process::Command;
    let name = "sameness::every_scene_gives_the_recorded_bits_on_any_number_of_threads";
    for simd in ["scalar", "avx2", "avx512"] {
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", name])
            .env("MOHAWK_SIMD", simd)
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(told.contains("1 passed"), "{simd}: {told}");
    }
}
