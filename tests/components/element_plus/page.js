import ElementPlus from "element-plus";
import "element-plus/dist/index.css";
import { createApp } from "vue";
import { hold } from "../state.js";

const held = {
  name: "",
  seats: 1,
  country: "",
  city: "",
  hobbies: [],
  arrival: "",
  wifi: false,
  size: "small",
  topics: [],
  volume: 30,
  stars: 0,
  photo: "",
  command: "",
  deleted: false,
  tip: false,
  tab: "profile",
  sections: [],
  item: "",
  order: "",
  chosen: [],
};

const app = createApp({
  data: () => ({
    ...held,
    asking: false,
    may: new Date(2026, 4, 1),
    tree: [{ label: "Fruit", children: [{ label: "Apple" }, { label: "Pear" }] }],
    people: [
      { name: "Grace", born: 1906 },
      { name: "Ada", born: 1815 },
    ],
  }),
  created() {
    for (const key of Object.keys(held)) {
      this.$watch(key, value => hold({ [key]: value }), { deep: true, immediate: true });
    }
  },
});
app.use(ElementPlus).mount("#root");
