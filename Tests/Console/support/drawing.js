// What jsdom lacks of drawings, for modules that make SVG: texts are 7 pixels wide for each character, and nothing has a scale on the
// screen. Where something is drawn is tested in a browser.

import { window } from "./page.js";

const characterWidth = 7;
window.HTMLCanvasElement.prototype.getContext = () => ({ measureText: (text) => ({ width: text.length * characterWidth }) });
window.SVGElement.prototype.getScreenCTM = () => null;
