// What was left with the unit that may change the machine, and what became of it.

import { h, put } from "../dom.mjs";
import { ask } from "../link.mjs";

export function ordersList(app) {
  const list = h("ul", { class: "orders" });
  async function load() {
    const found = await ask("/api/orders").catch(() => null);
    if (found === null) return;
    put(list, ...(found.orders.length ? found.orders.map((order) => h("li", {},
      h("span", { class: `outcome-badge ${order.ok === undefined ? "not-tested" : order.ok ? "passed" : "failed"}` },
        app.t(`config.${order.ok === undefined ? "waits" : order.ok ? "ok" : "not_ok"}`)),
      h("span", {}, app.t(`config.order_${order.what ?? order.name.split("-").at(-1)}`)), h("span", { class: "aside" }, [order.who, app.time(order.utc)].filter(Boolean).join(", ")),
      order.text ? h("span", { lang: "en" }, order.text) : null)) : [h("li", { class: "aside" }, app.t("shell.nothing"))]));
  }
  load();
  const clock = setInterval(load, 3000);
  return { element: h("section", { class: "card" }, h("h2", {}, app.t("config.orders")), list), load, stop: () => clearInterval(clock) };
}
