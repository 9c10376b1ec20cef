package com.google.android.gms.maps.model;

import java.net.URL;

/** The part of the class of the Google Maps SDK for Android that the documentation's example uses. */
public abstract class UrlTileProvider {
    public UrlTileProvider(int width, int height) {}

    public abstract URL getTileUrl(int x, int y, int zoom);
}
