// The part of the Google Maps JavaScript API that the documentation's example uses, so that it runs without a network. Names and parameters
// are those of the API; the map shows the tiles around its centre and cannot be moved.
const google = {
    maps: {
        Size: class {
            constructor(width, height) { Object.assign(this, { width, height }); }
        },
        ImageMapType: class {
            constructor(options) { Object.assign(this, options); }
        },
        Map: class {
            constructor(element, { center, zoom }) {
                const scale = 2 ** zoom, sine = Math.sin((center.lat * Math.PI) / 180);
                const column = ((center.lng + 180) / 360) * scale;
                const row = (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * scale;
                element.style.cssText += "; position: relative; overflow: hidden; background: #e5e3df";
                const layers = [];
                this.overlayMapTypes = {
                    setAt(index, type) {
                        layers[index]?.remove();
                        layers[index] = element.appendChild(document.createElement("div"));
                        const { width, height } = type.tileSize;
                        for (let x = Math.floor(column) - 2; x <= column + 2; x++) {
                            for (let y = Math.floor(row) - 2; y <= row + 2; y++) {
                                const address = type.getTileUrl({ x, y }, zoom);
                                if (address === null) continue;
                                const image = layers[index].appendChild(document.createElement("img"));
                                const left = (x - column) * width + element.clientWidth / 2;
                                const top = (y - row) * height + element.clientHeight / 2;
                                image.style.cssText = `position: absolute; left: ${left}px; top: ${top}px`;
                                Object.assign(image, { width, height, src: address });
                            }
                        }
                    },
                };
            }
        },
    },
};
