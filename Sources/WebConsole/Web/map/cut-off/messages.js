// Adds the messages about what can be reached, in every language of the console.

import en from "../../localization/desk/en/reachability.js";
import ja from "../../localization/desk/ja/reachability.js";
import { localization } from "../../localization/localization.js";

localization.add({ en, ja });
