// Makes the squares of roots in a page work: roots appear in the order of their ranks, and their
// spectrum grows with them.

import { Exercises } from './exercises.mjs';
import { NUMBERS, Nearest, Spectrum } from './spectrum.mjs';

// The frequencies that are shown: waves in the square.
const SIZE = 64;
// The time in which all roots appear, milliseconds.
const WHOLE = 8000;
// A square of two triangles.
const MESH = { vertices: [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0], faces: [0, 1, 2, 0, 2, 3] };

let sampler;

class Grow {
  constructor(place) {
    this.place = place;
    this.grow = JSON.parse(place.dataset.grow);
    this.method = place.querySelector('select');
    [this.count, this.part] = place.querySelectorAll('input');
    this.roots = place.querySelector('[data-canvas=roots]');
    this.plane = place.querySelector('[data-canvas=spectrum]');
    this.exercises = new Exercises(place, this.grow.exercises, Object.keys(NUMBERS));
    for (const button of place.querySelectorAll('button[data-do]')) {
      button.addEventListener('click', () => this[button.dataset.do]());
    }
    this.method.addEventListener('change', () => this.sample());
    this.count.addEventListener('input', () => {
      this.output(this.count, this.count.value);
      this.points = undefined;
    });
    this.count.addEventListener('change', () => this.sample());
    this.part.addEventListener('input', () => {
      const share = Number(this.part.value) / 100;
      this.pause();
      this.to(share);
    });
    new ResizeObserver(() => this.draw()).observe(this.roots);
    new MutationObserver(() => this.draw())
      .observe(document.documentElement, { attributes: true, attributeFilter: ['class'] });
  }

  output(input, text) {
    this.place.querySelector(`output[for="${input.id}"]`).value = text;
  }

  // Samples the square, and shows none of its roots yet.
  async sample() {
    const problem = this.place.querySelector('.problem');
    problem.hidden = true;
    try {
      sampler ??= import('./npm/index.js').then(({ load }) => load());
      const { positions, count } = (await sampler).sample(MESH, {
        count: Number(this.count.value), method: this.method.value,
      });
      this.points = Array.from({ length: count }, (_, i) => [positions[3 * i], positions[3 * i + 1]]);
      this.clear();
      this.play();
    } catch (error) {
      sampler = undefined;
      problem.textContent = `The roots could not be sampled: ${error.message}`;
      problem.hidden = false;
    }
  }

  clear() {
    this.shown = 0;
    this.spectrum = new Spectrum(SIZE);
    this.nearest = new Nearest(this.points.length);
    this.draw();
  }

  // Shows a share of the roots.
  to(share) {
    if (!this.points) return;
    const wanted = Math.round(share * this.points.length);
    if (wanted < this.shown) this.clear();
    for (; this.shown < wanted; this.shown++) {
      this.spectrum.add(...this.points[this.shown]);
      this.nearest.add(...this.points[this.shown]);
    }
    this.draw();
  }

  run() {
    if (!this.points) return this.sample();
    if (this.ticks) return this.pause();
    if (this.shown === this.points.length) this.clear();
    this.play();
  }

  play() {
    this.pause();
    const begin = performance.now() - WHOLE * this.shown / this.points.length;
    const tick = (now) => {
      const share = Math.min(1, (now - begin) / WHOLE);
      this.ticks = share < 1 ? requestAnimationFrame(tick) : 0;
      this.to(share);
    };
    this.ticks = requestAnimationFrame(tick);
  }

  pause() {
    cancelAnimationFrame(this.ticks);
    this.ticks = 0;
    this.draw();
  }

  step() {
    if (!this.points) return this.sample();
    this.pause();
    this.to(Math.min(1, (this.shown + 1) / this.points.length));
  }

  restart() {
    if (!this.points) return this.sample();
    this.clear();
    this.play();
  }

  draw() {
    if (!this.points) return;
    const numbers = {
      shown: this.shown,
      share: 100 * this.shown / this.points.length,
      nearest: this.shown > 1 ? this.nearest.least : NaN,
      relative: this.nearest.relative,
    };
    for (const [name, { unit }] of Object.entries(NUMBERS)) {
      const value = numbers[name];
      this.place.querySelector(`[data-measure=${name}]`).textContent =
        Number.isFinite(value) ? `${Number(value.toPrecision(3))} ${unit}`.trim() : '–';
    }
    this.part.value = numbers.share;
    this.output(this.part, `${numbers.share.toFixed(0)} %`);
    this.place.querySelector('[data-do=run]').textContent = this.ticks ? 'Pause' : 'Run';
    this.drawRoots();
    this.drawSpectrum();
    // Roots that pass by solve nothing.
    if (!this.ticks) this.exercises.check(numbers);
  }

  drawRoots() {
    const { roots: canvas } = this;
    const scale = window.devicePixelRatio || 1;
    const side = Math.round(canvas.clientWidth * scale);
    if (canvas.width !== side) canvas.width = canvas.height = side;
    const pen = canvas.getContext('2d');
    const style = getComputedStyle(canvas);
    pen.clearRect(0, 0, side, side);
    const radius = Math.max(1, 0.22 * side / Math.sqrt(this.points.length));
    const dot = ([x, y], color) => {
      pen.fillStyle = color;
      pen.beginPath();
      pen.arc(x * side, (1 - y) * side, radius, 0, 7);
      pen.fill();
    };
    const before = this.ticks ? Math.max(0, this.shown - 12) : this.shown;
    this.points.slice(0, before).forEach((point) => dot(point, style.color));
    // The newest stand out.
    const news = style.getPropertyValue('--play-line').trim();
    this.points.slice(before, this.shown).forEach((point) => dot(point, news));
  }

  drawSpectrum() {
    const { plane: canvas, spectrum } = this;
    const wide = 2 * SIZE + 1;
    if (canvas.width !== wide) canvas.width = canvas.height = wide;
    const pen = canvas.getContext('2d');
    const picture = pen.createImageData(wide, wide);
    for (let v = -SIZE, at = 0; v <= SIZE; v++) {
      for (let u = -SIZE; u <= SIZE; u++, at += 4) {
        // The mean density is no pattern.
        const power = Math.hypot(u, v) < 3 ? 0 : spectrum.power(u, -v);
        const grey = 255 * Math.min(1, power / 3) ** 0.6;
        picture.data.set([grey, grey, grey, 255], at);
      }
    }
    pen.putImageData(picture, 0, 0);
  }
}

for (const place of document.querySelectorAll('.grow')) new Grow(place);
