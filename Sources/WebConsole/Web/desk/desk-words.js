// Adds the messages of the operator's pages, in every language of the console.

import changesEn from "../words/desk/en/changes.js";
import changesJa from "../words/desk/ja/changes.js";
import historyEn from "../words/desk/en/history.js";
import historyJa from "../words/desk/ja/history.js";
import manageEn from "../words/desk/en/manage.js";
import manageJa from "../words/desk/ja/manage.js";
import problemsEn from "../words/desk/en/problems.js";
import problemsJa from "../words/desk/ja/problems.js";
import rulesEn from "../words/desk/en/rules.js";
import rulesJa from "../words/desk/ja/rules.js";
import uploadsEn from "../words/desk/en/uploads.js";
import uploadsJa from "../words/desk/ja/uploads.js";
import { localization } from "../words/words.js";

localization.add({
    en: { ...uploadsEn, ...changesEn, ...historyEn, ...manageEn, ...problemsEn, ...rulesEn },
    ja: { ...uploadsJa, ...changesJa, ...historyJa, ...manageJa, ...problemsJa, ...rulesJa },
});
