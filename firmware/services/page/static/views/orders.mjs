// What was left with the unit that may change the machine, and what became of it.

import { h, put } from "../dom.mjs";
import { ask } from "../link.mjs";

// `done` is called when one of them has been carried out, or was refused.
export function ordersList(app, done = () => {}) {
  const list = h("ul", { class: "orders" }, h("li", { class: "aside" }, app.missing()));
  let waited = [];
  let read = false;
  async function load() {
    const found = await ask("/api/orders").catch(() => null);
    if (found === null) { if (!read) put(list, h("li", { class: "aside" }, app.missing(null))); return; }
    read = true;
    const waits = found.orders.filter((order) => order.ok === undefined).map((order) => order.name);
    if (waited.some((name) => !waits.includes(name))) done();
    waited = waits;
    put(list, ...(found.orders.length ? found.orders.map((order) => h("li", {},
      h("span", { class: `outcome-badge ${order.ok === undefined ? "not-tested" : order.ok ? "passed" : "failed"}` },
        app.t(`config.${order.ok === undefined ? "waits" : order.ok ? "ok" : "not_ok"}`)),
      h("span", {}, app.t(`config.order_${order.what ?? order.name.split("-").at(-1)}`)), h("span", { class: "aside" }, [order.who, app.time(order.utc)].filter(Boolean).join(", ")),
      order.text ? h("span", { lang: app.tongue(order, "text") }, app.told(order, "text")) : null)) : [h("li", { class: "aside" }, app.t("config.none_ordered"))]));
  }
  load();
  const clock = setInterval(load, 3000);
  return { element: h("section", { class: "card" }, h("h2", {}, app.t("config.orders")), list), load, stop: () => clearInterval(clock) };
}
