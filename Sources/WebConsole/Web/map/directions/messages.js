// Adds the messages of directions, in every language of the console.

import en from "../../localization/directions/en.js";
import ja from "../../localization/directions/ja.js";
import { localization } from "../../localization/localization.js";

localization.add({ en, ja });
