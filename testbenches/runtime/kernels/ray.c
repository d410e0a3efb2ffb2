/* Ray tracing (after GPGPU-Sim's RAY): a thread per pixel follows its ray from mirror to mirror, over spheres and a floor of squares,
   with a ray to the light from each. It ends where it meets nothing, or no mirror, or after so many. */
#include "warploom.h"

/* Nothing farther than this is met; and nothing nearer, where a ray begins. */
#define FAR 1000.0f
#define NEAR 0.001f

struct vector {
    float x, y, z;
};

struct sphere {
    struct vector centre;
    float radius;
    struct vector colour;
    float mirror;
};

/* A square of the floor has a side of 1. */
struct scene {
    struct vector eye, light, sky, floor_colours[2];
    float floor_mirror, ambient;
};

static inline struct vector plus(struct vector a, struct vector b) { return (struct vector){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline struct vector minus(struct vector a, struct vector b) { return (struct vector){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline struct vector times(struct vector a, float b) { return (struct vector){a.x * b, a.y * b, a.z * b}; }
static inline float dot(struct vector a, struct vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline float to_sphere(const struct sphere *sphere, struct vector from, struct vector along) {
    struct vector away = minus(sphere->centre, from);
    float middle = dot(away, along), inside = middle * middle - (dot(away, away) - sphere->radius * sphere->radius);
    if (inside < 0)
        return FAR;
    float half = __builtin_sqrtf(inside);
    if (middle - half > NEAR)
        return middle - half;
    if (middle + half > NEAR)
        return middle + half;
    return FAR;
}

static inline u32 is_shadow(const struct sphere *spheres, u32 count, struct vector from, struct vector along, float distance) {
    for (u32 i = 0; i < count; i++)
        if (to_sphere(&spheres[i], from, along) < distance)
            return 1;
    return 0;
}

static inline u32 byte(float intensity) { return (u32)(__builtin_fminf(intensity, 1) * 255 + 0.5f); }

void kernel(const struct sphere *spheres, u32 count, const struct scene *scene, u32 *pixels, u32 side, u32 mirrors) {
    u32 x = global_x(), y = ctaid_y() * ntid_y() + tid_y();
    if (x >= side || y >= side)
        return;
    struct vector from = scene->eye, colour = {0, 0, 0};
    struct vector along = {(float)(i32)(2 * x + 1 - side) / side, (float)(i32)(side - 2 * y - 1) / side, 1};
    along = times(along, 1 / __builtin_sqrtf(dot(along, along)));
    float weight = 1;
    for (u32 met = 0; met <= mirrors; met++) {
        const struct sphere *nearest = 0;
        float distance = FAR;
        for (u32 i = 0; i < count; i++) {
            float to = to_sphere(&spheres[i], from, along);
            if (to < distance) {
                distance = to;
                nearest = &spheres[i];
            }
        }
        u32 is_floor = 0;
        if (along.y < 0) {
            float to = -from.y / along.y;
            if (to > NEAR && to < distance) {
                distance = to;
                is_floor = 1;
            }
        }
        struct vector at = plus(from, times(along, distance)), normal = {0, 1, 0}, own;
        float mirror;
        if (is_floor) {
            own = scene->floor_colours[((u32)(at.x + 2 * FAR) ^ (u32)(at.z + 2 * FAR)) & 1];
            mirror = scene->floor_mirror;
        } else if (nearest) {
            normal = times(minus(at, nearest->centre), 1 / nearest->radius);
            own = nearest->colour;
            mirror = nearest->mirror;
        } else {
            colour = plus(colour, times(scene->sky, weight));
            break;
        }
        struct vector to_light = minus(scene->light, at);
        float light_distance = __builtin_sqrtf(dot(to_light, to_light)), brightness = scene->ambient;
        to_light = times(to_light, 1 / light_distance);
        float facing = dot(normal, to_light);
        if (facing > 0 && !is_shadow(spheres, count, at, to_light, light_distance))
            brightness += facing;
        colour = plus(colour, times(own, weight * (1 - mirror) * brightness));
        if (mirror == 0)
            break;
        weight *= mirror;
        from = at;
        along = minus(along, times(normal, 2 * dot(along, normal)));
    }
    pixels[y * side + x] = byte(colour.x) | byte(colour.y) << 8 | byte(colour.z) << 16;
}
