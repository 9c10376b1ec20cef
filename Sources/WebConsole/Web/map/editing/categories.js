// The categories that are offered for features. Others can be entered, too: the rule book reports them.

import { categoryName as nameOf } from "../../client/categories/category-name.js";
import { localization } from "../../localization/localization.js";

const occupants = `
accessories appliances antiques artgallery artsupplies atm babyclothesandsupplies bakedgoods bank bar barbecue barber beautysalon beerbar bistro books
breakfastandbrunch bridalstore bubbletea buffet burgers cafe cafeteria cakes candy cellphoneaccessories childcare chinese chocolate cinema clinic
clothing clothing.childrens clothing.mens clothing.womens cocktailbar coffee comicbooks computersandaccessories conveniencestore conveyorsushi
cosmetics crepes currencyexchange dayspa delicatessen dentistry.general departmentstore desserts discountstore donuts drycleaninglaundry dutyfree
electronicappliances eyewear.opticians familyrestaurant fashion fashionaccessories fastfood financialservices flowers foodcourt formalwear french
fruitandvegetables furniturestore gelato giftshops gourmetfood grocerystore gym haircutsstyling hairstylist hardware hats healthcarecenter hobbyshop
homegarden hotdogs hotel hotpot icecream indian insurance interiordesign italian izakaya japanese japanese.curry japanese.okonomiyaki
japanese.onigiri japanese.ramen japanese.soba japanese.takoyaki japanese.tempura japanese.tonkatsu japanese.udon japanese.yakiniku japanesesweets
jewelry juicebar kaiseki karaoke kidsactivities kimonos korean landmark languageschool leathergoods library linens lingerie lotterystand luggage
manicurists martialarts massagetherapy maternitywear medicalcenter mobilephones musicalinstruments musicvideo newspapersandmagazines noodles
officeequipmentandsupplies opticians organicfood outdoorgear parking perfume personalcare petstore pharmacy photographystore pilates pizza playcenter
popupshops postoffice preschool publicservices.government pub realestateagents restaurant salad sandwiches seafood sewingalterations shoerepair
shoes shoestore skincare soup souvenirs specialtyfood sportinggoods sportswear stationery steak supermarket sushi swimwear tableware tea thai
tickets tobaccoshop toys toystore travelagent vegan vietnamese videogamesandconsoles vinylrecords visitorcenter watches watchrepair winebar yoga`;

const amenities = `
animalreliefarea atm babychanging baggagestorage boardinggate bus businesscenter cashier changemachine checkin childplayarea coinlocker copymachine
defibrillator drinkingfountain eatingdrinking elevator emergencyshelter entry escalator exhibit faregate firealarmpullstation fireextinguisher
firstaid fittingroom foodservice groundtransportation guestservices handsanitizerstation information information.transit landmark library lostandfound
mailbox meetingpoint mobilityrescue mothersroom movingwalkway parking parking.bicycle parking.ev payphone phone phone.emergency photobooth platform
police powerchargingstation prayerroom privatelounge ramp reception.desk recreation restroom restroom.family restroom.female restroom.male
restroom.unisex restroom.wheelchair rideshare seat seating security service shower shuttle smokingarea stairs storage strollerrental swimmingpool taxi
ticketing transit unspecified valet vendingmachine wheelchairassist wifi`;

const units = `
auditorium brick classroom column concrete conferenceroom drywall elevator escalator fieldofplay firstaid fitnessroom foodservice footbridge glass
huddleroom kitchen laboratory library lobby lounge mailroom mothersroom movietheater movingwalkway nonpublic office opentobelow parking phoneroom
platform privatelounge ramp recreation restroom restroom.family restroom.female restroom.male restroom.unisex restroom.wheelchair road room serverroom
shower smokingarea stairs steps storage structure terrace theater unenclosedarea unspecified vegetation waitingroom walkway walkway.island wood`;

const lists = { occupant: occupants, amenity: amenities, unit: units };

/** The categories for features of a type, in alphabetical order. */
export function categoriesOf(type) {
    return (lists[type] ?? "").split(/\s+/).filter(Boolean).sort();
}

/** A category as text, such as "Sushi"; one without a name in its own words, because editors have to recognize it. */
export function categoryName(category) {
    const text = category.replaceAll(".", " ");
    return nameOf(category, localization.language) ?? text.charAt(0).toUpperCase() + text.slice(1);
}
