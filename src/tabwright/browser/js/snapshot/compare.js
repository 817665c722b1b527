// Compares two scenes of a document: which units are the same, and what was added, changed, moved or is gone.
// A unit is the same if its element is; an element that was replaced by an equal one counts as the same, too.
"use strict";
(tabwright => {
  const { dom } = tabwright;

  tabwright.Comparison = class Comparison {
    constructor(before, after) {
      this.before = before;
      this.after = after;
      // By the index of a unit: its counterpart in the other scene.
      this.old = new Array(after.units.length).fill(null);
      this.now = new Array(before.units.length).fill(null);
      this.matchElements();
      this.matchSentences();
      this.matchReplaced();
    }

    pair(before, after) {
      this.old[after.index] = before;
      this.now[before.index] = after;
    }

    matchElements() {
      for (const unit of this.after.units) {
        const before = unit.text === null ? this.before.nodes.get(unit.source) : undefined;
        if (before !== undefined) this.pair(before, unit);
      }
    }

    // Sentences of the same element: equal ones first, the others in their order.
    matchSentences() {
      const known = groupBy(this.before.units.filter(isSentence), unit => unit.source);
      const now = groupBy(this.after.units.filter(isSentence), unit => unit.source);
      for (const [source, sentences] of now) {
        const before = known.get(source) ?? [];
        const left = sentences.filter(unit => !this.pairWith(before, unit, other => other.text === unit.text));
        for (const unit of left) this.pairWith(before, unit, () => true);
      }
    }

    pairWith(candidates, unit, fits) {
      const found = candidates.find(other => this.now[other.index] === null && fits(other));
      if (found !== undefined) this.pair(found, unit);
      return found !== undefined;
    }

    // Elements that were replaced: equal or similar ones inside the same unit, then equal ones anywhere.
    matchReplaced() {
      const gone = groupBy(this.gone(), parentOf);
      const added = groupBy(this.added(), parentOf);
      if (!gone.size || !added.size) return;
      const parents = [[ROOT, ROOT]];
      for (const unit of this.after.units)
        if (this.old[unit.index] !== null) parents.push([this.old[unit.index], unit]);
      const pairInside = () => {
        // Grows while it is read.
        for (const [before, after] of parents) {
          for (const fits of gone.has(before) && added.has(after) ? RULES : [])
            this.pairAll(gone.get(before), added.get(after), fits, parents);
        }
      };
      pairInside();
      const [lost, found] = [this.outermost(this.gone(), this.now), this.outermost(this.added(), this.old)];
      parents.length = 0;
      this.pairAll(lost, found, RULES[0], parents);
      pairInside();
    }

    // Pairs what is still alone, by a key; `parents` gets the new pairs.
    pairAll(before, after, fits, parents) {
      // An element that is only hidden was not replaced, unless nothing else differs.
      const mayPair = unit => fits === RULES[0] || !dom.isConnected(unit.source);
      const alone = before.filter(unit => this.now[unit.index] === null && mayPair(unit));
      const known = groupBy(alone, unit => fits(unit, this.before, alone));
      const left = known.size ? after.filter(unit => this.old[unit.index] === null) : [];
      for (const unit of left) {
        const found = known.get(fits(unit, this.after, left))?.shift();
        if (found === undefined) continue;
        this.pair(found, unit);
        parents.push([found, unit]);
      }
    }

    // Units whose parent has a counterpart.
    outermost(units, counterparts) {
      return units.filter(({ parent }) => parent === null || counterparts[parent.index] !== null);
    }

    added() {
      return this.after.units.filter(unit => this.old[unit.index] === null);
    }

    // Whether another element is now where an equal one was: refs of the old one are lost.
    isReplaced(unit) {
      return this.old[unit.index] !== null && this.old[unit.index].source !== unit.source;
    }

    gone() {
      return this.before.units.filter(unit => this.now[unit.index] === null);
    }

    changed() {
      const changed = this.after.units.filter(unit => {
        const before = this.old[unit.index];
        if (before === null || !unit.hasLine || this.isOnlyCovered(before, unit)) return false;
        // Behind a dialog, texts are joined and names computed in another way.
        if (before.outside !== unit.outside) return before.states !== unit.states || before.raw !== unit.raw;
        return before.key !== unit.key || before.raw !== unit.raw;
      });
      // The name of a cell is its content, which says more.
      return changed.filter(unit => !CELLS.has(unit.row.role) || !changed.some(other => isInside(other, unit)));
    }

    // Whether only the text inside came to be behind something, or in front of it.
    isOnlyCovered(before, unit) {
      if (before.text !== null || before.states !== unit.states || before.raw !== unit.raw) return false;
      if (before.row.role !== unit.row.role || before.row.name === unit.row.name) return false;
      return this.after.covers(unit.source) || this.before.covers(before.source);
    }

    // Units that are in another place among the others: those outside the longest increasing sequence.
    moved() {
      const units = this.after.units.filter(unit => this.old[unit.index] !== null && unit.hasLine);
      const places = units.map(unit => this.old[unit.index].index);
      if (places.every((place, at) => at === 0 || places[at - 1] < place)) return [];
      const kept = longestIncrease(places);
      return units.filter((_, at) => !kept.has(at));
    }
  };

  const CELLS = new Set(["cell", "gridcell", "columnheader", "rowheader"]);
  const isInside = (unit, outer) => unit.index > outer.index && unit.index <= outer.last;

  const ROOT = {};
  const parentOf = unit => unit.parent ?? ROOT;

  // The keys by which replaced units are paired, the strictest first. A key of null fits nothing.
  const RULES = [
    // The same content.
    (unit, scene) => scene.contentOf(unit),
    // The same line, with other content.
    unit => (unit.row.name && unit.text === null ? unit.key : null),
    // The same first content, such as the name of a product in a row.
    (unit, scene) => (unit.text === null && !unit.row.name ? scene.firstLineIn(unit) : null),
    // The same name in another state.
    unit => (unit.row.name && unit.text === null ? `${unit.row.role}\t${unit.row.name}` : null),
    // The only one of its kind that is left.
    (unit, _, left) => (isOnly(unit, left) ? kindOf(unit) : null),
  ];

  const isOnly = (unit, units) =>
    units.length < 50 && units.filter(other => kindOf(other) === kindOf(unit)).length === 1;

  const kindOf = unit => (unit.text === null ? unit.row.role : "sentence");

  const isSentence = unit => unit.text !== null;

  function groupBy(units, keyOf) {
    const groups = new Map();
    for (const unit of units) {
      const key = keyOf(unit);
      if (key === null) continue;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [unit]);
      else group.push(unit);
    }
    return groups;
  }

  // The positions of a longest increasing sequence of different numbers.
  function longestIncrease(numbers) {
    const ends = []; // by length: the position where the best sequence of that length ends
    const previous = [];
    for (let at = 0; at < numbers.length; at++) {
      let low = 0;
      for (let high = ends.length; low < high; ) {
        const middle = (low + high) >> 1;
        if (numbers[ends[middle]] < numbers[at]) low = middle + 1;
        else high = middle;
      }
      previous[at] = low > 0 ? ends[low - 1] : -1;
      ends[low] = at;
    }
    const kept = new Set();
    for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at]) kept.add(at);
    return kept;
  }

  const LOST = new Set(["disabled", "selected", "invalid", "readonly", "required", "current"]);
  const MAX_CHOICES = 8;
  const MAX_SENTENCE = 120;
  const CONTEXT = 30; // characters before a change

  // The row of a changed unit: of a long sentence the part that changed; with the states that an element lost, for a
  // reader who only sees the new ones; and with what a select now offers.
  tabwright.changedRow = function (before, unit) {
    if (before === null) return unit.toString();
    if (unit.text !== null) return unit.toString(0, excerpt(before.text ?? "", unit.text));
    const keys = new Set((unit.row.states ?? []).map(keyOf));
    const lost = (before.row.states ?? []).map(keyOf).filter(key => !keys.has(key));
    const more = lost.filter(key => LOST.has(key)).map(key => `no longer ${key}`);
    if (lost.includes("value")) more.push("value=");
    if (before.raw !== unit.raw && unit.source instanceof HTMLSelectElement)
      more.push(`choices=${choicesOf(unit.source)}`);
    return [unit.toString(), ...more].join("\t");
  };

  function excerpt(before, now) {
    if (now.length <= MAX_SENTENCE) return now;
    let same = 0;
    while (same < before.length && before[same] === now[same]) same++;
    const start = now.lastIndexOf(" ", Math.max(0, same - CONTEXT)) + 1;
    return `${start > 0 ? "… " : ""}${now.slice(start)}`;
  }

  const keyOf = state => state.split("=", 1)[0];

  function choicesOf(select) {
    const labels = [...dom.all(select, "option")].slice(0, MAX_CHOICES).map(option => tabwright.nameOf(option).text);
    return JSON.stringify(labels);
  }
})(globalThis.tabwright);
