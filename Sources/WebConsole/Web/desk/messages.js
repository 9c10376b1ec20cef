// Adds the messages of the operator's pages, in every language of the console.

import changesEn from "../localization/desk/en/changes.js";
import changesJa from "../localization/desk/ja/changes.js";
import historyEn from "../localization/desk/en/history.js";
import historyJa from "../localization/desk/ja/history.js";
import linksEn from "../localization/desk/en/links.js";
import linksJa from "../localization/desk/ja/links.js";
import manageEn from "../localization/desk/en/manage.js";
import manageJa from "../localization/desk/ja/manage.js";
import overridesEn from "../localization/desk/en/overrides.js";
import overridesJa from "../localization/desk/ja/overrides.js";
import problemsEn from "../localization/desk/en/problems.js";
import problemsJa from "../localization/desk/ja/problems.js";
import reachabilityEn from "../localization/desk/en/reachability.js";
import reachabilityJa from "../localization/desk/ja/reachability.js";
import rulesEn from "../localization/desk/en/rules.js";
import rulesJa from "../localization/desk/ja/rules.js";
import settingsEn from "../localization/desk/en/settings.js";
import settingsJa from "../localization/desk/ja/settings.js";
import uploadsEn from "../localization/desk/en/uploads.js";
import uploadsJa from "../localization/desk/ja/uploads.js";
import { localization } from "../localization/localization.js";

localization.add({
    en: { ...uploadsEn, ...changesEn, ...historyEn, ...linksEn, ...manageEn, ...overridesEn, ...problemsEn, ...reachabilityEn, ...rulesEn, ...settingsEn },
    ja: { ...uploadsJa, ...changesJa, ...historyJa, ...linksJa, ...manageJa, ...overridesJa, ...problemsJa, ...reachabilityJa, ...rulesJa, ...settingsJa },
});
