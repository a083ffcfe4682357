/* Hair in C: even points on a mesh, hair on a head, its motion, and a file of strands. With the
   folder of script/build-c:
     cc c/example.c -Itarget/c -Ltarget/c -lmohawk -lm -Wl,-rpath,$PWD/target/c -o example
     ./example swung.obj */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "mohawk.h"

static void check(MohawkStatus status) {
    if (status != MOHAWK_STATUS_OK) {
        fprintf(stderr, "mohawk %s: %s\n", mohawk_version(), mohawk_error());
        exit(1);
    }
}

/* Counts the frames of a scene, and ends it after the tenth. */
static int count_frame(const float *positions, void *data) {
    int *frames = (int *)data;
    return !isfinite(positions[0]) || ++*frames == 10;
}

int main(int argc, char **argv) {
    /* Points on a square. */
    const float vertices[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    const uint32_t faces[] = {0, 1, 2, 0, 2, 3};
    const MohawkMesh square = {vertices, 4, faces, 2, NULL, NULL};
    const char *amount[] = {"roots.strands=500", "roots.method=maximal", "roots.seed=7", NULL};
    MohawkRoots *roots;
    check(mohawk_sample(&square, amount, &roots));
    const uint32_t *face = mohawk_roots_faces(roots);
    const float *weight = mohawk_roots_weights(roots), *place = mohawk_roots_positions(roots);
    float away = 0;
    for (size_t i = 0; i < mohawk_roots_count(roots); i++) {
        for (int axis = 0; axis < 3; axis++) {
            float sum = 0;
            for (int corner = 0; corner < 3; corner++)
                sum += weight[3 * i + corner] * vertices[3 * faces[3 * face[i] + corner] + axis];
            away = fmaxf(away, fabsf(sum - place[3 * i + axis]));
        }
    }
    printf("%zu points, %.4f apart, %.0e from their weights\n", mohawk_roots_count(roots),
           mohawk_roots_spacing(roots), away < 1e-5f ? 0.0 : away);
    mohawk_roots_free(roots);

    /* Hair on the head that comes with the library. */
    MohawkHead *head;
    MohawkHair *hair;
    const char *growth[] = {"roots.strands=300", "groom.length=0.9", NULL};
    check(mohawk_head_open(NULL, NULL, &head));
    check(mohawk_hair_grow(head, NULL, growth, &hair));
    mohawk_head_free(head); /* The hair keeps what it needs. */
    printf("%zu strands\n", mohawk_hair_count(hair));

    /* Its head turns evenly by a radian in half a second, then stays. */
    MohawkMotion *motion;
    const char *solver[] = {"sim.solver=ftl", NULL};
    const float c = cosf(1), s = sinf(1);
    const float turned[] = {c, 0, -s, 0, 0, 1, 0, 0, s, 0, c, 0, 0, 0, 0, 1};
    check(mohawk_motion_new(hair, NULL, solver, &motion));
    check(mohawk_motion_advance(motion, 0.5, turned));
    for (int step = 0; step < 24; step++) check(mohawk_motion_step(motion, NULL));
    const size_t last = mohawk_motion_points_per_strand(motion) - 1;
    const float *tip = mohawk_motion_positions(motion) + 4 * last; /* Of the first strand. */
    printf("after %.2f s the first tip is at %.2f %.2f %.2f\n", mohawk_motion_time(motion), tip[0],
           tip[1], tip[2]);
    if (argc > 1) check(mohawk_motion_save(motion, argv[1]));
    mohawk_motion_free(motion);

    /* A scene, whose head moves by itself. */
    int frames = 0;
    check(mohawk_motion_new(hair, "nod", solver, &motion));
    MohawkStatus ended = mohawk_motion_play(motion, 100, 30, count_frame, &frames);
    printf("%d frames%s\n", frames, ended == MOHAWK_STATUS_CANCELLED ? ", then no more" : "");
    mohawk_motion_free(motion);

    /* Errors have a text. */
    const char *wrong[] = {"groom.length=-1", NULL};
    check(mohawk_head_open(NULL, NULL, &head));
    mohawk_hair_free(hair);
    if (mohawk_hair_grow(head, NULL, wrong, &hair) == MOHAWK_STATUS_INPUT && hair == NULL)
        printf("%s\n", mohawk_error());
    mohawk_head_free(head);
    return 0;
}
