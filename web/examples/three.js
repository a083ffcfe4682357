// Draws hair with three.js alone: mohawk gives the positions of strands, and takes the pose of the
// head. The pointer turns the head, and the hair follows.

import * as THREE from 'three';
import { load } from '@mohawk-hair/mohawk';

const mohawk = await load();
const head = await mohawk.shippedHead();
const hair = await head.grow({ preset: 'fan', settings: { 'roots.strands': 3000 } });
// Some hold brings the fan back to its shape.
const simulation = hair.simulate({ solver: 'rod', settings: { 'sim.hold': 0.2 } });

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setPixelRatio(devicePixelRatio);
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color(0x1d2027);
const camera = new THREE.PerspectiveCamera(35, 1, 0.1, 100);
camera.position.set(4.5, 1.5, 9);
camera.lookAt(0, 0.6, 0);
const sun = new THREE.DirectionalLight(0xffffff, 2.5);
sun.position.set(3, 4, 5);
scene.add(sun, new THREE.HemisphereLight(0xbfd0ff, 0x403020, 1.5));

// The head moves as a whole: its matrix is the pose.
const skin = new THREE.Group();
skin.matrixAutoUpdate = false;
for (const part of head.parts()) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(part.positions, 3));
  geometry.setAttribute('normal', new THREE.BufferAttribute(part.normals, 3));
  geometry.setIndex(new THREE.BufferAttribute(part.faces, 1));
  const material = new THREE.MeshStandardMaterial({ color: 0xc99a7f, roughness: 0.7 });
  skin.add(new THREE.Mesh(geometry, material));
}
scene.add(skin);

// Strands are in world space: three numbers for each point, strand by strand.
const { strands, pointsPerStrand } = simulation;
const positions = new THREE.BufferAttribute(simulation.positions.slice(), 3);
positions.setUsage(THREE.DynamicDrawUsage);
const lines = new THREE.BufferGeometry();
lines.setAttribute('position', positions);
lines.setAttribute('color', new THREE.BufferAttribute(colors(), 3));
lines.setIndex(segments());
const drawn = new THREE.LineSegments(lines, new THREE.LineBasicMaterial({ vertexColors: true }));
drawn.frustumCulled = false;
scene.add(drawn);

// Joins the points of each strand to those after them.
function segments() {
  const ends = [];
  for (let point = 0; point < strands * pointsPerStrand; point++) {
    if ((point + 1) % pointsPerStrand) ends.push(point, point + 1);
  }
  return ends;
}

// Fades from the colour of the root to that of the tip. Strands differ a little, as if in light.
function colors() {
  const [root, tip, color] = [new THREE.Color(), new THREE.Color(), new THREE.Color()];
  root.setRGB(...hair.rootColor, THREE.SRGBColorSpace);
  tip.setRGB(...hair.tipColor, THREE.SRGBColorSpace);
  const numbers = new Float32Array(3 * strands * pointsPerStrand);
  for (let point = 0; point < strands * pointsPerStrand; point++) {
    const strand = Math.floor(point / pointsPerStrand);
    const along = (point % pointsPerStrand) / (pointsPerStrand - 1);
    color.lerpColors(root, tip, along).multiplyScalar(0.4 + 0.6 * ((strand * 0.618) % 1));
    color.toArray(numbers, 3 * point);
  }
  return numbers;
}

// The pointer asks for angles, in radians.
let [turn, nod] = [0, 0];
renderer.domElement.addEventListener('pointerdown', (event) => {
  renderer.domElement.setPointerCapture(event.pointerId);
});
renderer.domElement.addEventListener('pointermove', (event) => {
  if (!event.buttons) return;
  turn = THREE.MathUtils.clamp(turn + event.movementX * 0.01, -1.5, 1.5);
  nod = THREE.MathUtils.clamp(nod + event.movementY * 0.01, -0.8, 0.8);
});

// A head turns about its neck.
const neck = new THREE.Vector3(...mohawk.neck);
const pose = new THREE.Matrix4();
function turned() {
  pose.makeRotationFromEuler(new THREE.Euler(nod, turn, 0, 'YXZ'));
  const shift = neck.clone().sub(neck.clone().applyMatrix4(pose));
  return pose.setPosition(shift).elements;
}

function resize() {
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();

let before;
renderer.setAnimationLoop((now) => {
  // After a pause the hair goes on where it was.
  const seconds = Math.min((now - (before ?? now)) / 1000, 0.1);
  before = now;
  simulation.step(seconds, turned());
  positions.array.set(simulation.positions);
  positions.needsUpdate = true;
  skin.matrix.fromArray(simulation.pose);
  skin.matrixWorldNeedsUpdate = true;
  renderer.render(scene, camera);
});
