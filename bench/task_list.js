// Builds the list of the page `app`: one component with a shadow root for each row of data.
customElements.define(
  "task-row",
  class extends HTMLElement {
    connectedCallback() {
      const root = this.attachShadow({ mode: "open" });
      root.innerHTML = `<style>:host { display: block }</style><h3></h3><p></p>
      <label><input type="checkbox"> Done</label><button>Edit</button>
      <div role="button" tabindex="0">More</div><slot></slot>`;
      root.querySelector("h3").textContent = this.dataset.name;
      root.querySelector("p").textContent = this.dataset.note;
    }
  },
);
const list = document.querySelector("#list");
for (const [name, note] of JSON.parse(document.querySelector("#rows").textContent)) {
  const row = document.createElement("task-row");
  Object.assign(row.dataset, { name, note });
  row.innerHTML = "<small>slotted</small>";
  list.append(row);
}
