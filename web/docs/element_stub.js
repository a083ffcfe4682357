// Stands in for <mohawk-head> in tests of pages: tips swing as a spring does after the head has
// stopped, ten times as fast as in life.

class Stub extends HTMLElement {
  settings = new Map();
  asked = [];

  connectedCallback() {
    const button = document.createElement('button');
    button.textContent = 'Start';
    button.addEventListener('click', () => this.start());
    this.attachShadow({ mode: 'open' }).append(button);
  }

  start() {
    this.tell('load', { name: 'stub', strands: 1 });
    this.timer = setInterval(() => this.go(), 10);
  }

  ask(text) {
    this.asked.push(text);
    for (const [key, value] of new URLSearchParams(text)) this.settings.set(key, value);
  }

  play() { this.paused = false; }
  pause() { this.paused = true; }
  step() { this.paused = true; }
  restart() { this.count = 0; }

  go() {
    const samples = [];
    for (let i = 0; i < 6 && !this.paused; i++) samples.push(this.sample(this.count++ / 60));
    this.tell('samples', { samples, secs: this.count / 60, paused: Boolean(this.paused), strands: 1 });
  }

  sample(secs) {
    const [k, c] = ['stiffness', 'damping'].map((key) => Number(this.settings.get(`sim.spring.${key}`)));
    const t = Math.max(0, secs % 4 - 2.4);
    const w = Math.sqrt(Math.max(k - c * c / 4, 0));
    const x = 0.3 * Math.exp(-c / 2 * t) * (w ? Math.cos(w * t) + c / 2 / w * Math.sin(w * t) : 1 + c / 2 * t);
    return { secs, lean: Math.abs(x) * 60, x, y: 0, z: 0, energy: x * x, stretch: 0, depth: 0 };
  }

  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

customElements.define('mohawk-head', Stub);
