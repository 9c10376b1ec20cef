// The functions of cairo, Pango and fontconfig that floor tiles use.
//
// They are declared here because the headers of Pango need those of GLib, whose pkg-config file has a flag that SwiftPM refuses with a
// warning for everybody who depends on this package. All three libraries keep their binary interfaces stable.
#pragma once

typedef struct _cairo cairo_t;
typedef struct _cairo_surface cairo_surface_t;
typedef struct _cairo_font_options cairo_font_options_t;

typedef union {
    struct {
        int type;
        int length;
    } header;
    struct {
        double x, y;
    } point;
} cairo_path_data_t;

typedef struct {
    int status;
    cairo_path_data_t *data;
    int num_data;
} cairo_path_t;

const char *cairo_version_string(void);
cairo_surface_t *cairo_image_surface_create(int format, int width, int height);
cairo_surface_t *cairo_recording_surface_create(int content, const void *extents);
unsigned char *cairo_image_surface_get_data(cairo_surface_t *surface);
int cairo_image_surface_get_stride(cairo_surface_t *surface);
void cairo_surface_flush(cairo_surface_t *surface);
void cairo_surface_mark_dirty(cairo_surface_t *surface);
int cairo_surface_status(cairo_surface_t *surface);
void cairo_surface_destroy(cairo_surface_t *surface);
cairo_t *cairo_create(cairo_surface_t *surface);
void cairo_destroy(cairo_t *context);
int cairo_status(cairo_t *context);
void cairo_set_source_rgba(cairo_t *context, double red, double green, double blue, double alpha);
void cairo_new_path(cairo_t *context);
void cairo_move_to(cairo_t *context, double x, double y);
void cairo_line_to(cairo_t *context, double x, double y);
void cairo_curve_to(cairo_t *context, double x1, double y1, double x2, double y2, double x3, double y3);
void cairo_arc(cairo_t *context, double x, double y, double radius, double from, double to);
void cairo_close_path(cairo_t *context);
void cairo_set_tolerance(cairo_t *context, double tolerance);
cairo_path_t *cairo_copy_path_flat(cairo_t *context);
void cairo_path_destroy(cairo_path_t *path);
void cairo_fill(cairo_t *context);
void cairo_set_fill_rule(cairo_t *context, int rule);
void cairo_translate(cairo_t *context, double x, double y);
void cairo_scale(cairo_t *context, double x, double y);
cairo_font_options_t *cairo_font_options_create(void);
void cairo_font_options_destroy(cairo_font_options_t *options);
void cairo_font_options_set_antialias(cairo_font_options_t *options, int antialias);
void cairo_font_options_set_hint_style(cairo_font_options_t *options, int style);
void cairo_font_options_set_hint_metrics(cairo_font_options_t *options, int metrics);

typedef struct _PangoFontMap PangoFontMap;
typedef struct _PangoContext PangoContext;
typedef struct _PangoLayout PangoLayout;
typedef struct _PangoLayoutLine PangoLayoutLine;
typedef struct _PangoFontDescription PangoFontDescription;
typedef struct _PangoLanguage PangoLanguage;
typedef struct _FcConfig FcConfig;

typedef struct {
    int x, y, width, height;
} PangoRectangle;

const char *pango_version_string(void);
PangoFontMap *pango_cairo_font_map_new_for_font_type(int type);
void pango_cairo_font_map_set_resolution(PangoFontMap *map, double dpi);
void pango_cairo_context_set_font_options(PangoContext *context, const cairo_font_options_t *options);
void pango_fc_font_map_set_config(PangoFontMap *map, FcConfig *config);
PangoContext *pango_font_map_create_context(PangoFontMap *map);
void pango_context_set_language(PangoContext *context, PangoLanguage *language);
void pango_context_set_round_glyph_positions(PangoContext *context, int rounds);
PangoLanguage *pango_language_from_string(const char *tag);
PangoFontDescription *pango_font_description_from_string(const char *text);
void pango_font_description_set_absolute_size(PangoFontDescription *description, double size);
void pango_font_description_free(PangoFontDescription *description);
PangoLayout *pango_layout_new(PangoContext *context);
void pango_layout_set_font_description(PangoLayout *layout, const PangoFontDescription *description);
void pango_layout_set_text(PangoLayout *layout, const char *text, int length);
void pango_layout_set_single_paragraph_mode(PangoLayout *layout, int setting);
// Bits for each position between characters. The first one says that a line may end there.
const unsigned int *pango_layout_get_log_attrs_readonly(PangoLayout *layout, int *count);
PangoLayoutLine *pango_layout_get_line_readonly(PangoLayout *layout, int line);
void pango_layout_line_get_extents(PangoLayoutLine *line, PangoRectangle *ink, PangoRectangle *logical);
void pango_cairo_layout_line_path(cairo_t *context, PangoLayoutLine *line);
void g_object_unref(void *object);

FcConfig *FcConfigCreate(void);
void FcConfigDestroy(FcConfig *config);
int FcConfigAppFontAddFile(FcConfig *config, const unsigned char *file);
int FcGetVersion(void);
