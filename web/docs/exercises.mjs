// The exercises of a block: each is marked once numbers fulfil its condition.

import { fulfils, readCondition } from './measures.mjs';

export class Exercises {
  // `place` holds the list; `names` are those that conditions may use beside the measures of a run.
  constructor(place, exercises, names) {
    const items = place.querySelectorAll('.exercises > li');
    this.open = exercises.map(({ condition }, i) => ({ terms: readCondition(condition, names).terms, item: items[i] }));
  }

  // Marks those that numbers solve.
  check(numbers) {
    this.open = this.open.filter(({ terms, item }) => {
      if (!fulfils(terms, numbers)) return true;
      item.classList.add('solved');
      item.querySelector('.mark').textContent = '✓';
      item.querySelector('.state').textContent = 'Solved';
      return false;
    });
  }
}
