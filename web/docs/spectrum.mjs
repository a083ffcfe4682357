// The spectrum of points in the unit square, and other numbers, which grow with each point.

// The numbers of a square, which exercises may name.
export const NUMBERS = {
  shown: { label: 'Roots shown', unit: '' },
  share: { label: 'Of all', unit: '%' },
  nearest: { label: 'Smallest distance', unit: '' },
  relative: { label: 'Relative radius', unit: '' },
};

// The power at the frequencies -size to size on both axes. The square has borders, whose own waves
// would cross the picture: points count less towards them (a Hann window).
export class Spectrum {
  constructor(size) {
    this.size = size;
    this.wide = 2 * size + 1;
    // Half of the plane; the other half is its mirror image.
    this.real = new Float64Array(this.wide * (size + 1));
    this.imaginary = new Float64Array(this.wide * (size + 1));
    this.squares = 0;
    this.x = waves(this.wide);
    this.y = waves(size + 1);
  }

  add(x, y) {
    const { wide, size } = this;
    const weight = Math.sin(Math.PI * x) ** 2 * Math.sin(Math.PI * y) ** 2;
    this.squares += weight ** 2;
    turn(this.x, x, -size);
    turn(this.y, y, 0);
    for (let row = 0, at = 0; row <= size; row++) {
      const [c, s] = [weight * this.y.cos[row], weight * this.y.sin[row]];
      for (let column = 0; column < wide; column++, at++) {
        this.real[at] += c * this.x.cos[column] - s * this.x.sin[column];
        this.imaginary[at] += c * this.x.sin[column] + s * this.x.cos[column];
      }
    }
  }

  // The power at a frequency, 1 for points that know nothing of one another.
  power(u, v) {
    if (v < 0) [u, v] = [-u, -v];
    const at = v * this.wide + u + this.size;
    return this.squares ? (this.real[at] ** 2 + this.imaginary[at] ** 2) / this.squares : 0;
  }
}

const waves = (count) => ({ cos: new Float64Array(count), sin: new Float64Array(count) });

// Sets the waves of the frequencies from `first` on at a place.
function turn({ cos, sin }, place, first) {
  for (let i = 0; i < cos.length; i++) {
    const angle = -2 * Math.PI * (first + i) * place;
    cos[i] = Math.cos(angle);
    sin[i] = Math.sin(angle);
  }
}

// The smallest distance between points of the unit square, which shrinks with each point.
export class Nearest {
  // `most`: the number of points to come.
  constructor(most) {
    this.across = Math.max(1, Math.floor(Math.sqrt(most)));
    this.cells = Array.from({ length: this.across ** 2 }, () => []);
    this.least = Infinity;
    this.count = 0;
  }

  add(x, y) {
    const cell = (place) => Math.min(this.across - 1, Math.max(0, Math.floor(place * this.across)));
    const [column, row] = [cell(x), cell(y)];
    // Cells as far as something nearer could lie.
    const reach = this.count < 2 ? this.across : Math.min(this.across, Math.ceil(this.least * this.across));
    for (let r = Math.max(0, row - reach); r <= Math.min(this.across - 1, row + reach); r++) {
      for (let c = Math.max(0, column - reach); c <= Math.min(this.across - 1, column + reach); c++) {
        for (const [a, b] of this.cells[r * this.across + c]) {
          this.least = Math.min(this.least, Math.hypot(a - x, b - y));
        }
      }
    }
    this.cells[row * this.across + column].push([x, y]);
    this.count++;
  }

  // The smallest distance as a share of the largest that as many points could have (Lagae and Dutré
  // 2008).
  get relative() {
    return this.count < 2 ? NaN : this.least / (2 * Math.sqrt(1 / (2 * Math.sqrt(3) * this.count)));
  }
}
