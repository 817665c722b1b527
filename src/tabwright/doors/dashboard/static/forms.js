// A form for the arguments of a tool, and the arguments that were given in it, of the types that its schema names.
import { element } from "./dom.js";

const TYPES = { date: "date", time: "time", email: "email", uri: "url" };
const typeOf = schema => [schema.type].flat().find(type => type && type !== "null") ?? "string";
const isNumber = schema => ["number", "integer"].includes(typeOf(schema));
// What a line of text cannot say is written as JSON.
const isPlainList = schema => typeOf(schema) === "array" && !["object", "array"].includes(typeOf(schema.items ?? {}));
const isJson = schema => typeOf(schema) === "object" || (typeOf(schema) === "array" && !isPlainList(schema));

export function fields(schema) {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([name, one]) =>
    element(
      "label",
      {},
      name + (required.has(name) ? "" : " (may be left out)"),
      control(name, one, required.has(name)),
    ),
  );
}

function control(name, schema, required) {
  if (schema.enum) {
    const options = schema.enum.map((value, at) =>
      element("option", { value: String(at), textContent: String(value), selected: value === schema.default }),
    );
    return element("select", { name, required }, element("option", { value: "" }), ...options);
  }
  if (typeOf(schema) === "boolean")
    return element("input", { name, type: "checkbox", checked: schema.default === true });
  if (isJson(schema))
    return element("textarea", {
      name,
      required,
      rows: 3,
      value: schema.default === undefined ? "" : JSON.stringify(schema.default),
      placeholder: typeOf(schema) === "object" ? '{"name": "value"}' : "[]",
    });
  const type = schema.writeOnly ? "password" : isNumber(schema) ? "number" : (TYPES[schema.format] ?? "text");
  const value = isPlainList(schema) ? (schema.default ?? []).join(", ") : (schema.default ?? "");
  return element("input", {
    name,
    type,
    required,
    step: "any",
    value,
    placeholder: isPlainList(schema) ? "one, two, three" : "",
  });
}

// By its name, whatever a page calls its fields: a form has properties of its own.
export function given(form, schema) {
  const found = {};
  for (const [name, one] of Object.entries(schema.properties ?? {})) {
    const field = form.elements.namedItem(name);
    if (typeOf(one) === "boolean" && !one.enum) found[name] = field.checked;
    else if (field.value !== "") found[name] = read(name, one, field.value);
  }
  return found;
}

function read(name, schema, text) {
  if (schema.enum) return schema.enum[Number(text)];
  if (isPlainList(schema)) return text.split(",").map(part => read(name, schema.items ?? {}, part.trim()));
  if (isNumber(schema)) return numbered(name, text);
  if (typeOf(schema) === "boolean") return text === "true";
  return isJson(schema) ? parsed(name, text) : text;
}

function numbered(name, text) {
  if (text === "" || Number.isNaN(Number(text))) throw new Error(`${name}: "${text}" is no number.`);
  return Number(text);
}

function parsed(name, text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${name} is not JSON: ${error.message}`);
  }
}
