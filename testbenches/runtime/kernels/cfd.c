/* Euler equations of a gas on elements with four faces each (Rodinia, cfd: euler3d): how far an element may go in a step, what flows
   through its faces, a stage of a Runge-Kutta scheme. Behind a face is another element, a wing, or the far field. */
#include "warploom.h"

#define FACES 4
#define GAMMA 1.4f
#define SMOOTHING 0.2f

enum { STEP_FACTOR, FLUX, STAGE };
enum { WING = -1, FAR_FIELD = -2 };
/* Variable `v` of element `i` is at v * n + i. */
enum { DENSITY, MOMENTUM, ENERGY = MOMENTUM + 3, VARIABLES };

struct vector {
    float x, y, z;
};

/* What a gas carries along. */
struct carried {
    struct vector mass, momentum_x, momentum_y, momentum_z, energy;
};

struct gas {
    float density, energy, speed, pressure, sound;
    struct vector velocity, momentum;
};

static inline float square(struct vector a) { return a.x * a.x + a.y * a.y + a.z * a.z; }

static inline struct gas load(const float *variables, u32 i, u32 n) {
    struct gas gas = {.density = variables[DENSITY * n + i], .energy = variables[ENERGY * n + i]};
    const float *momentum = variables + MOMENTUM * n + i;
    gas.momentum = (struct vector){momentum[0], momentum[n], momentum[2 * n]};
    gas.velocity = (struct vector){gas.momentum.x / gas.density, gas.momentum.y / gas.density, gas.momentum.z / gas.density};
    float squared = square(gas.velocity);
    gas.speed = __builtin_sqrtf(squared);
    gas.pressure = (GAMMA - 1) * (gas.energy - 0.5f * gas.density * squared);
    gas.sound = __builtin_sqrtf(GAMMA * gas.pressure / gas.density);
    return gas;
}

static inline struct carried carry(const struct gas *gas) {
    struct vector v = gas->velocity, m = gas->momentum;
    float pressure = gas->pressure, energy = gas->energy + pressure;
    return (struct carried){
        .mass = m,
        .momentum_x = {v.x * m.x + pressure, v.x * m.y, v.x * m.z},
        .momentum_y = {v.x * m.y, v.y * m.y + pressure, v.y * m.z},
        .momentum_z = {v.x * m.z, v.y * m.z, v.z * m.z + pressure},
        .energy = {v.x * energy, v.y * energy, v.z * energy},
    };
}

struct sums {
    float density, energy, x, y, z;
};

/* The mean of both sides goes through the face. */
static inline void through(float *sum, struct vector normal, struct vector one, struct vector other) {
    *sum += 0.5f * normal.x * (one.x + other.x);
    *sum += 0.5f * normal.y * (one.y + other.y);
    *sum += 0.5f * normal.z * (one.z + other.z);
}

static inline void exchange(struct sums *sums, struct vector normal, const struct carried *one, const struct carried *other) {
    through(&sums->density, normal, one->mass, other->mass);
    through(&sums->energy, normal, one->energy, other->energy);
    through(&sums->x, normal, one->momentum_x, other->momentum_x);
    through(&sums->y, normal, one->momentum_y, other->momentum_y);
    through(&sums->z, normal, one->momentum_z, other->momentum_z);
}

/* Normals, as long as their faces are large, have all of x first, then of y and z; each of them, and the neighbours, by face. */
static inline void flux(const float *variables, float *fluxes, const i32 *neighbours, const float *normals,
                        const struct carried *far, u32 i, u32 n) {
    struct gas own = load(variables, i, n);
    struct carried own_carried = carry(&own);
    struct sums sums = {0, 0, 0, 0, 0};
#pragma clang loop unroll(disable)
    for (u32 face = 0; face < FACES; face++) {
        i32 neighbour = neighbours[face * n + i];
        const float *at = normals + face * n + i;
        struct vector normal = {at[0], at[FACES * n], at[2 * FACES * n]};
        float area = __builtin_sqrtf(square(normal));
        if (neighbour >= 0) {
            struct gas other = load(variables, neighbour, n);
            struct carried other_carried = carry(&other);
            float viscosity = -area * SMOOTHING * 0.5f * (own.speed + other.speed + own.sound + other.sound);
            sums.density += viscosity * (own.density - other.density);
            sums.energy += viscosity * (own.energy - other.energy);
            sums.x += viscosity * (own.momentum.x - other.momentum.x);
            sums.y += viscosity * (own.momentum.y - other.momentum.y);
            sums.z += viscosity * (own.momentum.z - other.momentum.z);
            exchange(&sums, normal, &other_carried, &own_carried);
        } else if (neighbour == WING) {
            sums.x += normal.x * own.pressure;
            sums.y += normal.y * own.pressure;
            sums.z += normal.z * own.pressure;
        } else if (neighbour == FAR_FIELD) {
            exchange(&sums, normal, far, &own_carried);
        }
    }
    fluxes[DENSITY * n + i] = sums.density;
    fluxes[MOMENTUM * n + i] = sums.x;
    fluxes[(MOMENTUM + 1) * n + i] = sums.y;
    fluxes[(MOMENTUM + 2) * n + i] = sums.z;
    fluxes[ENERGY * n + i] = sums.energy;
}

/* Of the geometry, the sizes of the elements come first, then the normals; work is the variables before the step, fluxes and factors. */
void kernel(float *variables, float *work, const i32 *neighbours, const float *geometry, const struct carried *far, u32 n,
            u32 step, u32 stages_left) {
    float *before = work, *fluxes = before + VARIABLES * n, *factors = fluxes + VARIABLES * n;
    u32 i = global_x();
    if (i >= n)
        return;
    if (step == STEP_FACTOR) {
        struct gas own = load(variables, i, n);
        factors[i] = 0.5f / (__builtin_sqrtf(geometry[i]) * (own.speed + own.sound));
        for (u32 v = 0; v < VARIABLES; v++)
            before[v * n + i] = variables[v * n + i];
    } else if (step == FLUX) {
        flux(variables, fluxes, neighbours, geometry + n, far, i, n);
    } else {
        float factor = factors[i] / stages_left;
        for (u32 v = 0; v < VARIABLES; v++)
            variables[v * n + i] = before[v * n + i] + factor * fluxes[v * n + i];
    }
}
