/* A step of bodies that attract each other (CUDA SDK, nbody): a thread per body, the bodies come a tile at a time through shared
   memory. As many bodies as threads. */
#include "warploom.h"

struct body {
    float x, y, z, mass;
};

struct vector {
    float x, y, z;
};

/* The softening is squared: bodies that meet do not divide by 0, and a body does not attract itself. */
static inline void attract(struct vector *acceleration, const struct body *own, const struct body *other, float softening) {
    float x = other->x - own->x, y = other->y - own->y, z = other->z - own->z;
    float inverse = 1 / __builtin_sqrtf(x * x + y * y + z * z + softening);
    float pull = other->mass * (inverse * inverse * inverse);
    acceleration->x += x * pull;
    acceleration->y += y * pull;
    acceleration->z += z * pull;
}

static inline void move(float *place, float *velocity, float acceleration, float damping, float step) {
    *velocity = (*velocity + acceleration * step) * damping;
    *place += *velocity * step;
}

void kernel(const struct body *from, struct body *to, struct vector *velocities, u32 n, float step, float softening, float damping) {
    u32 i = global_x(), tid = tid_x(), threads = ntid_x();
    struct body *tile = SHARED_MEMORY, own = from[i];
    struct vector acceleration = {0, 0, 0};
    for (u32 base = 0; base < n; base += threads) {
        tile[tid] = from[base + tid];
        barrier();
        for (u32 j = 0; j < threads; j++)
            attract(&acceleration, &own, &tile[j], softening);
        barrier();
    }
    struct vector velocity = velocities[i];
    move(&own.x, &velocity.x, acceleration.x, damping, step);
    move(&own.y, &velocity.y, acceleration.y, damping, step);
    move(&own.z, &velocity.z, acceleration.z, damping, step);
    to[i] = own;
    velocities[i] = velocity;
}
