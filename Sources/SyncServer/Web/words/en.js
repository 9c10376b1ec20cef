// English.

const many = (n, one, more) => `${n} ${n === 1 ? one : more}`;

export default {
    "app.skip": "Skip to content",
    "app.pages": "Pages of this venue",
    "app.map": "Map",
    "app.desk": "Desk",
    "dialog.close": "Close",
    "dialog.cancel": "Cancel",

    "session.signIn": "Sign in",
    "session.signOut": "Sign out",
    "session.key": "Key",
    "session.keyHelp": "The key stays in this tab and is forgotten when you close it. Keys are made with “venue keys create”.",
    "session.keyMissing": "Enter a key.",
    "session.keyWrong": "The server does not know this key. Check that it is complete and was not revoked.",

    "state.loading": "Loading …",
    "state.again": "Try again",
    "state.toVenues": "All venues",
    "state.failed": "Something went wrong",
    "state.offline": "The server does not answer",
    "state.offlineHelp": "Check your connection. Nothing is lost.",
    "state.keyNeeded": "A key is needed",
    "state.keyNeededHelp": "This is not public. Sign in with a key that may read it.",
    "state.wrongKey": "The key is not known",
    "state.wrongKeyHelp": "It may have been revoked, or belongs to another server. Sign in with another one.",
    "state.forbidden": "Your key may not do this",
    "state.forbiddenHelp": "Ask an administrator for a key with another role.",
    "state.notFound": "There is nothing here",
    "state.notFoundHelp": "The venue does not exist, or your key may not see it.",
    "state.gone": "This venue was deleted",

    "venues.title": "Venues",
    "venues.empty": "No venue yet",
    "venues.emptyHelp": "Publish one with “venue push mall.zip --to mall --new”, or sign in with a key that sees more.",
    "venues.welcome": "Indoor maps, always up to date",
    "venues.welcomeHelp": "Sign in to see the venues your key may read, or open a public venue by its key.",
    "venues.open": "Open",
    "venues.openLabel": "Key of a public venue",
    "venues.facts": ({ levels, features }) => `${many(levels, "floor", "floors")} · ${features} features`,
    "venues.revision": "Revision {n}",
    "venues.public": "Public",
};
