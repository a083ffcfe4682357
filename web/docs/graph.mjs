// A graph of one measure over the last seconds, in the colours of the page.

const SECONDS = 6;
const MARGIN = { left: 42, right: 8, top: 24, bottom: 34 };

// Returns a round step with which at most `most` fit into a range.
export function roundStep(range, most) {
  const least = range / most;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((digit) => digit * power).find((step) => step >= least * 0.999);
}

export class Graph {
  constructor(canvas, name, { label, unit }) {
    Object.assign(this, { canvas, name, label, unit, samples: [] });
    new ResizeObserver(() => this.draw()).observe(canvas);
    // The theme of the book is a class of the page.
    new MutationObserver(() => this.draw())
      .observe(document.documentElement, { attributes: true, attributeFilter: ['class'] });
  }

  clear() {
    this.samples = [];
    this.draw();
  }

  add(samples) {
    for (const sample of samples) {
      if (this.samples.length && sample.secs < this.samples.at(-1).secs) this.samples = [];
      this.samples.push(sample);
    }
    const from = this.samples.findIndex(({ secs }) => secs > this.samples.at(-1).secs - SECONDS);
    if (from > 0) this.samples.splice(0, from);
    if (samples.length) this.draw();
  }

  // The range of values, with 0 in it, that ends at round numbers.
  range() {
    const values = this.samples.map((sample) => sample[this.name]).filter(Number.isFinite);
    const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
    if (high - low < 1e-3) return { step: 1, low: 0, high: 1 };
    const step = roundStep(high - low, 4);
    return { step, low: Math.floor(low / step + 1e-9) * step, high: Math.max(Math.ceil(high / step - 1e-9), 1) * step };
  }

  draw() {
    const { canvas } = this;
    const { clientWidth: width, clientHeight: height } = canvas;
    if (!width || !height) return;
    const scale = window.devicePixelRatio || 1;
    const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
    if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
    const style = getComputedStyle(canvas);
    const [ink, line] = [style.color, style.getPropertyValue('--play-line').trim() || '#d0306a'];
    const pen = canvas.getContext('2d');
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = `12px ${style.fontFamily}`;
    const end = Math.max(SECONDS, this.samples.at(-1)?.secs ?? 0);
    const { low, high, step } = this.range();
    const x = (secs) => MARGIN.left + (secs - end + SECONDS) / SECONDS * (width - MARGIN.left - MARGIN.right);
    const y = (value) => height - MARGIN.bottom - (value - low) / (high - low) * (height - MARGIN.top - MARGIN.bottom);
    const rule = (x1, y1, x2, y2, alpha) => {
      pen.globalAlpha = alpha;
      pen.beginPath();
      pen.moveTo(x1, y1);
      pen.lineTo(x2, y2);
      pen.stroke();
      pen.globalAlpha = 1;
    };
    [pen.strokeStyle, pen.fillStyle, pen.lineWidth] = [ink, ink, 1];
    pen.textAlign = 'right';
    pen.textBaseline = 'middle';
    for (let i = Math.round(low / step); i <= Math.round(high / step); i++) {
      rule(MARGIN.left, y(i * step), width - MARGIN.right, y(i * step), i === 0 ? 0.6 : 0.15);
      pen.fillText(String(Number((i * step).toPrecision(6))).replace('-', '−'), MARGIN.left - 6, y(i * step));
    }
    pen.textAlign = 'center';
    pen.textBaseline = 'top';
    for (let secs = Math.ceil(end - SECONDS); secs <= end; secs++) {
      rule(x(secs), MARGIN.top, x(secs), height - MARGIN.bottom, 0.15);
      pen.fillText(String(secs), x(secs), height - MARGIN.bottom + 4);
    }
    pen.textAlign = 'left';
    pen.fillText(`${this.label}, ${this.unit}`, 4, 4);
    pen.textAlign = 'right';
    pen.textBaseline = 'bottom';
    pen.fillText('time, s', width - MARGIN.right, height - 2);
    this.curve(pen, line, x, y);
  }

  curve(pen, line, x, y) {
    [pen.strokeStyle, pen.lineWidth, pen.lineJoin] = [line, 2, 'round'];
    pen.beginPath();
    this.samples.forEach((sample, i) => {
      if (i) pen.lineTo(x(sample.secs), y(sample[this.name]));
      else pen.moveTo(x(sample.secs), y(sample[this.name]));
    });
    pen.stroke();
  }
}
