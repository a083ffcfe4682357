// Makes the live scenes of a page work: controls, numbers, graph and exercises about the element
// `<mohawk-head>`.

import { Exercises } from './exercises.mjs';
import { MEASURES, Runs } from './measures.mjs';
import { Graph } from './graph.mjs';

// Parts of an address that a running scene takes over: those that it sets itself come last.
const SETTING = /^(solver|strands|(sim|groom|roots|look)\..*)$/;

// Significant digits, without zeros at the end.
const text = (value, digits = 3) => String(Number(value.toPrecision(digits))).replace('-', '−');

// A slider between two numbers.
class Slider {
  constructor(one, input, output) {
    Object.assign(this, { one, input, output, value: one.start });
    this.unit = /,\s*([^,]+)$/.exec(one.label)?.[1] ?? '';
    // Keys move it by a two-hundredth, or by one where only whole numbers count.
    if (one.whole && !one.log) this.input.step = 1 / (one.high - one.low);
    else this.input.step = 0.005;
    this.set(one.start);
  }

  // Shows a value.
  set(value) {
    const { low, high, log } = this.one;
    this.value = value;
    this.input.value = log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
    this.show();
  }

  // Takes the value that the slider stands at.
  take() {
    const { low, high, log, whole } = this.one;
    const share = Number(this.input.value);
    const value = log ? low * (high / low) ** share : low + (high - low) * share;
    this.value = whole ? Math.round(value) : Number(value.toPrecision(3));
    this.show();
  }

  show() {
    this.output.value = text(this.value, 4);
    this.input.setAttribute('aria-valuetext', `${text(this.value, 4)} ${this.unit}`.trim());
  }
}

class Play {
  constructor(place) {
    this.place = place;
    this.play = JSON.parse(place.dataset.play);
    this.head = place.querySelector('mohawk-head');
    this.runs = new Runs(this.play.scene, this.play.zero);
    this.started = false;
    this.paused = false;
    this.asked = new Map();
    this.sliders = this.play.sliders.map((one, i) =>
      new Slider(one, place.querySelector(`#${place.id}-slider-${i}`), place.querySelector(`output[for$="-slider-${i}"]`)));
    this.choices = this.play.choices.map((one, i) => ({ one, select: place.querySelector(`#${place.id}-choice-${i}`) }));
    const measure = MEASURES[this.play.graph];
    this.graph = new Graph(place.querySelector('canvas'), this.play.graph, measure);
    this.exercises = new Exercises(place, this.play.exercises, this.play.sliders.map(({ key }) => key));
    this.listen();
  }

  listen() {
    for (const button of this.place.querySelectorAll('button[data-do]')) {
      button.addEventListener('click', () => this[button.dataset.do]());
    }
    for (const slider of this.sliders) {
      slider.input.addEventListener('input', () => {
        slider.take();
        this.ask(slider.one.key, slider.value);
      });
    }
    for (const { one, select } of this.choices) {
      select.addEventListener('change', () => this.ask(one.key, select.value));
    }
    this.head.addEventListener('load', () => this.loaded());
    this.head.addEventListener('error', ({ detail }) => this.tell(detail?.text ?? 'The scene does not run here.'));
    this.head.addEventListener('samples', ({ detail }) => this.take(detail));
  }

  button(name) {
    return this.place.querySelector(`button[data-do="${name}"]`);
  }

  tell(problem) {
    const line = this.place.querySelector('.problem');
    line.textContent = problem;
    line.hidden = !problem;
  }

  // Hair is shown: at the start, and when a setting has made other hair.
  loaded() {
    this.started = true;
    this.button('step').disabled = this.button('restart').disabled = false;
    this.askAll();
    this.head.restart();
    this.begin();
  }

  // Asks for everything: a scene begins with settings of its own.
  askAll() {
    for (const [key, value] of new URLSearchParams(this.play.show)) {
      if (SETTING.test(key)) this.asked.set(key, value);
    }
    for (const { one, value } of this.sliders) this.asked.set(one.key, value);
    for (const { one, select } of this.choices) this.asked.set(one.key, select.value);
    this.send();
  }

  begin() {
    this.runs.restart();
    this.graph.clear();
  }

  // Asks the scene for a setting, at most once for each picture.
  ask(key, value) {
    this.asked.set(key, value);
    this.runs.changed();
    if (!this.started || this.sending) return;
    this.sending = requestAnimationFrame(() => this.send());
  }

  send() {
    this.sending = 0;
    const parts = [...this.asked].map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
    this.asked.clear();
    if (parts.length) this.head.ask(parts.join('&'));
  }

  run() {
    if (!this.started) {
      this.tell('');
      return this.head.start?.();
    }
    if (this.paused) this.head.play();
    else this.head.pause();
  }

  step() {
    this.head.step();
  }

  restart() {
    // A drag of the head ends the scene.
    this.head.ask(`scene=${this.play.scene}`);
    this.askAll();
    this.head.restart();
    this.begin();
  }

  reset() {
    for (const slider of this.sliders) {
      slider.set(slider.one.start);
      this.ask(slider.one.key, slider.value);
    }
    for (const { one, select } of this.choices) {
      select.selectedIndex = 0;
      this.ask(one.key, select.value);
    }
  }

  // Takes what a picture of the scene tells.
  take({ samples, secs, paused }) {
    this.paused = paused;
    this.button('run').textContent = paused ? 'Run' : 'Pause';
    this.place.querySelector('[data-clock]').textContent = `${secs.toFixed(2)} s`;
    const finished = this.runs.add(samples);
    this.graph.add(samples);
    const numbers = this.runs.numbers();
    for (const cell of this.place.querySelectorAll('[data-measure]')) {
      const value = numbers[cell.dataset.measure];
      const { unit } = MEASURES[cell.dataset.measure];
      cell.textContent = Number.isFinite(value) ? `${text(Number(value.toFixed(3)))} ${unit}` : '–';
    }
    if (!finished) return;
    const settings = Object.fromEntries(this.sliders.map(({ one, value }) => [one.key, value]));
    this.exercises.check({ ...numbers, ...settings });
  }
}

for (const place of document.querySelectorAll('.play')) new Play(place);
import('./viewer/element.js').catch(() => {
  for (const line of document.querySelectorAll('.play .problem')) {
    line.textContent = 'The live scene could not be loaded. The page can be read without it.';
    line.hidden = false;
  }
});
