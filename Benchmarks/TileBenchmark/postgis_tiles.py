"""Makes the exported tiles with ST_AsMVT of PostGIS, inside of one statement: no time is spent on connections or results. The time is that
of the processor, in ten rounds after a first one, so everything is in memory.

The tiles have the same content as those of TileBenchmark: a layer for each feature type and one with a point for each label, integer ids,
the same properties, the order of the ids, the same buffer (none for labels), 4,096 units, nothing compressed.

    pg_virtualenv python3 postgis_tiles.py FOLDER     needs postgresql-15-postgis-3 and postgresql-common
"""
import json
import pathlib
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])
features = json.loads((folder / "features.geojson").read_text())["features"]
tiles = json.loads((folder / "tiles.json").read_text())
columns = ["id", "category", "group", "level_id", "floor_id", "name", "name_en", "name_ja", "feature_type", "class", "icon"]
numbers = ["ordinal", "rank", "min_zoom", "size", "line_width", "rotate", "turned_size"]


def field(value):
    if value is None or value == "":
        return r"\N"
    return str(value).replace("\\", "\\\\").replace("\t", " ").replace("\n", " ")


rows = "\n".join(
    "\t".join([feature["properties"]["type"], json.dumps(feature["geometry"]), feature["properties"]["number"],
               *(field(feature["properties"].get(column)) for column in numbers + columns)])
    for feature in features)
quoted = ", ".join(f'"{column}"' for column in numbers + columns)
script = f"""
\\set ON_ERROR_STOP 1
CREATE EXTENSION postgis;
CREATE TABLE source (type text, geometry text, number bigint, {", ".join(f'"{column}" int' for column in numbers)},
    {", ".join(f'"{column}" text' for column in columns)});
COPY source FROM STDIN;
{rows}
\\.
CREATE TABLE feature AS SELECT type, ST_Transform(ST_GeomFromGeoJSON(geometry), 3857) AS geom, number, {quoted} FROM source ORDER BY id;
CREATE INDEX ON feature USING gist (geom);
CREATE TYPE tile_row AS (number bigint, {", ".join(f'"{column}" int' for column in numbers)},
    {", ".join(f'"{column}" text' for column in columns)}, geom geometry);
CREATE TABLE tile (z int, x int, y int);
COPY tile FROM STDIN;
{chr(10).join(chr(9).join(map(str, tile)) for tile in tiles)}
\\.
ANALYZE;
-- The time that this process has used, in seconds: fields 14 and 15 of a line whose second field may contain spaces.
CREATE FUNCTION cpu_seconds() RETURNS float8 LANGUAGE sql VOLATILE AS $$
    SELECT (split_part(rest, ' ', 12)::float8 + split_part(rest, ' ', 13)::float8) / 100
    FROM (SELECT regexp_replace(pg_read_file('/proc/self/stat'), '^.*\\) ', '') AS rest) AS line
$$;
CREATE TABLE result (z int, tiles int, seconds float8, bytes bigint);
DO $$
DECLARE
    t tile; start float8; zoom int; size bigint; total bigint; count int;
BEGIN
    FOR round IN 0..10 LOOP
        FOR zoom IN SELECT DISTINCT tile.z FROM tile ORDER BY 1 LOOP
            total := 0; count := 0;
            start := cpu_seconds();
            FOR t IN SELECT * FROM tile WHERE tile.z = zoom LOOP
                SELECT length(string_agg(layer, '')) INTO size FROM (
                    SELECT ST_AsMVT((number, {quoted}, geom)::tile_row, type, 4096, 'geom', 'number') AS layer FROM (
                        SELECT type, number, {quoted}, ST_AsMVTGeom(
                            geom, ST_TileEnvelope(t.z, t.x, t.y), 4096, CASE type WHEN 'label' THEN 0 ELSE 64 END, true) AS geom
                        FROM feature WHERE geom && ST_TileEnvelope(t.z, t.x, t.y, margin => 64.0 / 4096) ORDER BY id
                    ) AS part WHERE geom IS NOT NULL GROUP BY type
                ) AS layers;
                total := total + coalesce(size, 0); count := count + 1;
            END LOOP;
            IF round > 0 THEN
                INSERT INTO result VALUES (zoom, count, cpu_seconds() - start, total);
            END IF;
        END LOOP;
    END LOOP;
END $$;
\\pset tuples_only on
\\pset format unaligned
SELECT json_build_object('name', 'postgis mvt: zoom ' || z, 'tiles', max(tiles),
    'tiles_per_second', round((sum(tiles) / sum(seconds))::numeric, 1), 'bytes_per_tile', round(max(bytes)::numeric / max(tiles), 1))
FROM result GROUP BY z ORDER BY z;
SELECT json_build_object('name', 'postgis mvt: all zooms', 'tiles', sum(tiles) / 10,
    'tiles_per_second', round((sum(tiles) / sum(seconds))::numeric, 1)) FROM result;
"""
subprocess.run(["psql", "--quiet", "--no-psqlrc"], input=script, text=True, check=True)
