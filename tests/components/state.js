// What a page holds, for the test to compare with the goal. It is never on the page itself.
window.state = {};

export function hold(change) {
  Object.assign(window.state, change);
}
