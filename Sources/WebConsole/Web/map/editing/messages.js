// Adds the messages of the editor, in every language of the console.

import en from "../../localization/editing/en.js";
import ja from "../../localization/editing/ja.js";
import { localization } from "../../localization/localization.js";

localization.add({ en, ja });
