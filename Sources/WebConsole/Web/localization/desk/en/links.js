// Links for visitors, in English.

export default {
    "desk.tab.links": "Links",
    "desk.links.title": "Links for visitors",
    "desk.links.floor": "Floor to begin with",
    "desk.links.anyFloor": "As the map begins",
    "desk.links.position": "Position of the poster or the kiosk",
    "desk.links.positionHelp": "Longitude and latitude. The map marks it with a pin, and a kiosk says “You are here”.",
    "desk.links.positionInvalid": "Enter the longitude and the latitude in degrees, with a comma between them, such as 139.767,35.681.",
    "desk.links.idle": "Seconds without a touch, after which a kiosk begins again",
    "desk.links.idleInvalid": "Enter a whole number from {least} to {most}.",
    "desk.links.poster": "Poster",
    "desk.links.private": "Visitors cannot open the link until the venue is public. Its settings make it public.",
    "desk.links.print": "Print the poster",
    "desk.links.embed": "For a website",
    "desk.links.embedHelp": "The settings of the venue name the sites that may show the map.",
    "desk.links.embedPrivate": "Other sites can show the map when the venue is public, and its settings name them.",
    "desk.links.kiosk": "For a kiosk",
};
