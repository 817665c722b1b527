// What a comparison of two scenes means to a reader: parts, each with the rows to show, the most important first.
"use strict";
(tabwright => {
  const { dom } = tabwright;
  const { INVISIBLE } = tabwright.FLAGS;
  const MAX_PARTS = 40;
  const MAX_ROWS = 150; // of one part; what Python shows of them is bounded, too
  const MAX_GONE_LINES = 3; // of one part
  const MAX_ORDER = 5;
  const MAX_CELLS = 40;
  const MAX_REPLACED = 8; // controls; with more, the page was drawn again, and a snapshot is needed
  const NEAR = 4; // levels of the document above the target
  const ANNOUNCED =
    "[role=alert],[role=status],[role=log],[role=dialog],[role=alertdialog],dialog,output,[aria-live=polite],[aria-live=assertive]";
  // What a part is worth to a reader.
  const RANK = { announced: 0, invalid: 1, near: 2, far: 3, outOfView: 4, gone: 5, unrelated: 6 };

  tabwright.Changes = class Changes {
    // `watch` knows what was touched, and where the action was.
    constructor(comparison, watch) {
      this.comparison = comparison;
      this.watch = watch;
      this.parts = [];
      this.shown = new Map(); // by unit of the scene after: its part
      const { before, after } = comparison;
      this.modalChanged = before.modal !== after.modal;
      this.opened = before.outside > after.outside; // a dialog that closed no longer shuts off the page
      this.changed = comparison.changed();
      this.addAdded(comparison.added());
      for (const unit of this.changed) this.addChanged(unit, comparison.old[unit.index]);
      this.addGone(comparison.gone());
      this.addMoved(comparison.moved());
    }

    get answer() {
      const parts = this.parts.sort((a, b) => a.rank - b.rank || a.at - b.at);
      return {
        parts: parts
          .slice(0, MAX_PARTS)
          .map(({ kind, rows, own, target }) => ({ kind, rows: rows.join("\n"), own, target })),
        more: Math.max(0, parts.length - MAX_PARTS),
      };
    }

    add(kind, unit, rows, rank = this.rankOf(unit)) {
      const part = { kind, rows, rank, at: unit.index, own: [], target: unit.source === this.watch.target };
      this.parts.push(part);
      return part;
    }

    rankOf(unit) {
      const element = unit.source;
      if (this.watch.isUnrelated(element)) return RANK.unrelated;
      if (dom.closest(element, ANNOUNCED)) return RANK.announced;
      if (unit.row.states?.includes("invalid")) return RANK.invalid;
      if (this.watch.isNear(element, NEAR)) return RANK.near;
      return this.watch.isUnknown(element, this.comparison.before) ? RANK.outOfView : RANK.far;
    }

    addAdded(units) {
      const { before, after, old } = this.comparison;
      const fresh = new Set(units.filter(unit => this.isNew(unit)));
      for (const unit of units) {
        const touched = !fresh.has(unit) && unit.hasLine && this.watch.touched.has(unit.source);
        if (touched && this.watch.isUnknown(unit.source, before)) this.addChanged(unit, null);
      }
      this.addReplacedNeighbours(fresh);
      this.addReplacedControls(fresh);
      let end = -1; // of the part before
      for (const unit of after.units) {
        if (!fresh.has(unit) || unit.index <= end) continue;
        end = unit.last;
        const inside = after.within(unit).filter(inner => fresh.has(inner));
        if (!inside.some(inner => inner.hasLine)) continue;
        const row = rowOf(unit);
        if (row !== null && row !== unit && old[row.index] !== null) this.addChanged(unit, null);
        else this.add("added", unit, inTree(inside));
      }
    }

    // A control after a new text belongs to it, even if it looks like one that was there before.
    addReplacedNeighbours(fresh) {
      let follows = false;
      for (const unit of this.comparison.after.units) {
        if (follows && unit.clickable && this.comparison.isReplaced(unit)) fresh.add(unit);
        follows = fresh.has(unit);
      }
    }

    // Controls whose refs are lost, although equal ones are in their place: a ref finds the element that replaced its
    // own only if a snapshot showed it, no other has the same name, and the heading above is the same.
    addReplacedControls(fresh) {
      const { before, after, old } = this.comparison;
      const replaced = after.units.filter(unit => this.isReplacedControl(unit) && !this.changed.includes(unit));
      if (!replaced.length) return;
      const [above, now] = [headingsAbove(before), headingsAbove(after)];
      const isAmbiguous = unit =>
        after.units.some(other => other !== unit && other.clickable && isNamesake(other, unit));
      const isLost = (unit, before) =>
        !tabwright.wasInSnapshot(before.source) || above.get(before) !== now.get(unit) || isAmbiguous(unit);
      const lost = replaced.filter(unit => isLost(unit, old[unit.index]));
      if (lost.length <= MAX_REPLACED) for (const unit of lost) fresh.add(unit);
    }

    isReplacedControl(unit) {
      if (!unit.clickable || !this.comparison.isReplaced(unit)) return false;
      const { source } = this.comparison.old[unit.index];
      return !dom.isConnected(source) && tabwright.hasRef(source, this.watch.mark);
    }

    // In a part of the page that was not walked before, only what was touched is known to be new.
    isNew(unit) {
      const { before, after } = this.comparison;
      if (repeatsName(unit) || before.hides(unit)) return false;
      if (this.watch.isUnknown(unit.source, before)) return this.watch.isAdded(unit.source);
      if (this.opened && unit.text !== null && !unit.outside && !this.watch.isAdded(unit.source)) return false;
      if (!this.modalChanged || unit.clickable || unit.text !== null) return true;
      // Behind a modal dialog only controls and texts are shown. The rest is not new when the dialog closes.
      return this.watch.isAdded(unit.source) || (after.modal !== null && dom.contains(after.modal, unit.source));
    }

    // A cell is shown with its whole row.
    addChanged(unit, before) {
      const row = rowOf(unit);
      const cells = row === null ? [] : this.comparison.after.within(row);
      const isWhole = cells.length > 0 && cells.length <= MAX_CELLS;
      const shown = isWhole ? row : unit;
      const changed = tabwright.changedRow(before, unit);
      if (!this.shown.has(shown)) this.shown.set(shown, this.add("changed", unit, isWhole ? inTree(cells) : [changed]));
      if (isWhole && unit.hasLine) this.shown.get(shown).own.push(changed);
    }

    addGone(units) {
      const { now, before } = this.comparison;
      const gone = new Set(units.filter(unit => this.isGone(unit)));
      let end = -1; // of the part before
      for (const unit of gone) {
        if (unit.index <= end) continue;
        end = unit.last;
        const row = rowOf(unit);
        const rowNow = row === null || row === unit ? null : now[row.index];
        if (rowNow !== null) this.addChanged(rowNow, null);
        else
          this.addGonePart(
            unit,
            before.within(unit).filter(inner => gone.has(inner) && inner.hasLine),
          );
      }
    }

    // The unit itself; if it has no name, the first lines in it say what it was.
    addGonePart(unit, lines) {
      const isNamed = unit.text !== null || unit.row.name !== "" || unit.clickable;
      const isRow = unit.row.role === "row";
      const shown = isRow ? lines : isNamed ? [unit] : lines.slice(0, MAX_GONE_LINES);
      if (!shown.length) return;
      const rank = Math.max(RANK.gone, this.rankOf(unit));
      this.add(
        "gone",
        unit,
        isRow ? inTree(this.comparison.before.within(unit)) : shown.map(inner => inner.toString(0)),
        rank,
      );
    }

    isGone(unit) {
      const { after } = this.comparison;
      if (repeatsName(unit) || after.hides(unit)) return false;
      if (!dom.isConnected(unit.source)) return true;
      // A native control behind a styled one cannot be seen itself.
      const shown = tabwright.mayBeSeen(unit.source) || (unit.row.flags & INVISIBLE) !== 0;
      if (!shown || after.truncated || this.watch.isUnknown(unit.source, after)) return !shown;
      if (unit.text !== null) return unit.outside === this.isOutsideNow(unit.source);
      return unit.clickable;
    }

    isOutsideNow(element) {
      const { modal } = this.comparison.after;
      if (dom.closest(element, "[aria-hidden=true],[inert]")) return true;
      return modal !== null && !dom.contains(modal, element);
    }

    addMoved(units) {
      const moved = units.filter(unit => !this.shown.has(unit));
      if (!moved.length) return;
      const { after } = this.comparison;
      const around = commonAncestor(moved);
      const lines = around === null ? after.units : after.within(around);
      const all = new Set(units);
      if (around !== null && lines.every(unit => all.has(unit) || !unit.hasLine)) this.addMovedItem(around, lines);
      else this.addOrder(around, moved);
    }

    // A row is shown whole; of another item, its first line is enough. So it is with the one before it.
    addMovedItem(item, lines) {
      const { after } = this.comparison;
      const line = lines.find(unit => unit.hasLine);
      const before = after.units.findLast(
        unit => unit.index < item.index && unit.hasLine && (unit.parent === item.parent || !contains(unit, item)),
      );
      const rows = item.row.role === "row" ? inTree(lines) : [line.toString(0)];
      const label = before && this.labelOf(before.row.role === "row" ? before : siblingOf(before, item));
      this.add("moved", line, label ? [...rows, label.toString(0)] : rows);
    }

    // The first text or name in an item.
    labelOf(item) {
      return this.comparison.after.within(item).find(unit => unit.text !== null || unit.row.name !== "");
    }

    // The items around the first one that moved.
    addOrder(around, moved) {
      const { after } = this.comparison;
      const items = after.units.filter(unit => unit.parent === around);
      const first = items.findIndex(item => moved.some(unit => contains(item, unit)));
      const lines = items
        .slice(Math.max(0, first - 1))
        .map(item => this.labelOf(item))
        .filter(line => line !== undefined);
      const rows = lines.slice(0, MAX_ORDER).map(unit => unit.toString(1));
      this.add("order", moved[0], [around === null ? "0\tdocument\t\t0\t" : around.toString(0), ...rows]);
    }
  };

  const isNamesake = (one, other) => one.row.role === other.row.role && one.row.name === other.row.name;

  // By unit: the name of the heading above it.
  function headingsAbove({ units }) {
    const above = new Map();
    let heading = "";
    for (const unit of units) {
      above.set(unit, heading);
      if (unit.row.role === "heading") heading = unit.row.name;
    }
    return above;
  }

  const repeatsName = unit => unit.text !== null && unit.parent !== null && unit.parent.row.name === unit.text;

  // The rows of units, each inside the nearest one that contains it.
  function inTree(units) {
    const depths = new Map();
    return units.slice(0, MAX_ROWS).map(unit => {
      let around = unit.parent;
      while (around !== null && !depths.has(around)) around = around.parent;
      depths.set(unit, around === null ? 0 : depths.get(around) + 1);
      return unit.toString(depths.get(unit));
    });
  }

  const contains = (outer, unit) => unit.index >= outer.index && unit.index <= outer.last;

  // The unit around a unit that has the same parent as an item; else itself.
  function siblingOf(unit, item) {
    for (let at = unit; at !== null; at = at.parent) if (at.parent === item.parent) return at;
    return unit;
  }

  function rowOf(unit) {
    for (let at = unit; at !== null; at = at.parent) if (at.row.role === "row") return at;
    return null;
  }

  function commonAncestor(units) {
    let found = units[0];
    for (const unit of units) while (found !== null && !contains(found, unit)) found = found.parent;
    return found;
  }
})(globalThis.tabwright);
