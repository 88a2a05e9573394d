// The stream, shared by all pages of one browser.

import { join } from "./stream.mjs";

self.onconnect = (event) => join(event.ports[0]);
