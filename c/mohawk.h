/* The library mohawk for C. docs/c.md explains it. script/build-c writes this file. */

#ifndef MOHAWK_H
#define MOHAWK_H

#include <stddef.h>
#include <stdint.h>

// The outcome of a call.
typedef enum {
  // The call has done what it says.
  MOHAWK_STATUS_OK = 0,
  // An argument cannot be: a null pointer, text that is not UTF-8, a number out of range.
  MOHAWK_STATUS_ARGUMENT = 1,
  // A file, a setting, a mesh or strands cannot be used.
  MOHAWK_STATUS_INPUT = 2,
  // A callback has ended the work.
  MOHAWK_STATUS_CANCELLED = 3,
  // An error of the library itself. Free the handles of the call.
  MOHAWK_STATUS_INTERNAL = 4,
} MohawkStatus;

// Hair at rest.
typedef struct MohawkHair MohawkHair;

// A head.
typedef struct MohawkHead MohawkHead;

// Hair in motion, in steps of 1/240 s.
typedef struct MohawkMotion MohawkMotion;

// Points that are spread evenly over a surface.
typedef struct MohawkRoots MohawkRoots;

// A mesh of the caller, in any unit.
typedef struct {
  // Three coordinates for each vertex.
  const float *vertices;
  // The number of vertices.
  size_t vertex_count;
  // The vertices of each triangle.
  const uint32_t *faces;
  // The number of triangles.
  size_t face_count;
  // Three numbers for each vertex, or NULL: normals are smoothed over the faces.
  const float *normals;
  // A density for each vertex, 0 to 1, or NULL: it is 1.
  const float *density;
} MohawkMesh;

// Takes a frame: four numbers for each point of each strand, x, y, z and 0, and whatever was given to
// `mohawk_motion_play`. Anything but 0 ends the work.
typedef int (*MohawkFrame)(const float *positions, void *data);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Returns the text of the last call of this thread that failed, UTF-8: it names the thing and says what
// to do. It is empty if none has, and valid until another call of this thread fails.
const char *mohawk_error(void);

// Returns the version of the library, as "0.1.0".
const char *mohawk_version(void);

// Spreads points over a mesh. Settings are `roots.strands` or `roots.spacing`, `roots.method` and
// `roots.seed`. Free the points with `mohawk_roots_free`.
MohawkStatus mohawk_sample(const MohawkMesh *mesh,
                           const char *const *settings,
                           MohawkRoots **roots);

// Returns the number of points.
size_t mohawk_roots_count(const MohawkRoots *roots);

// Returns the smallest distance between points on one side of a sheet.
float mohawk_roots_spacing(const MohawkRoots *roots);

// Returns three coordinates for each point, which are valid until the handle is freed.
const float *mohawk_roots_positions(const MohawkRoots *roots);

// Returns the unit normal at each point, three numbers, interpolated between those of the vertices.
const float *mohawk_roots_normals(const MohawkRoots *roots);

// Returns the triangle of each point.
const uint32_t *mohawk_roots_faces(const MohawkRoots *roots);

// Returns the weights of the three corners of the triangle of each point.
const float *mohawk_roots_weights(const MohawkRoots *roots);

// Frees points. NULL is ignored.
void mohawk_roots_free(MohawkRoots *roots);

// Reads a head from a file of any format, or the head that comes with the library if the path is NULL.
// Settings are those of `head`. Free it with `mohawk_head_free`.
MohawkStatus mohawk_head_open(const char *path,
                              const char *const *settings,
                              MohawkHead **head);

// Reads the model that a preset is made for. Free it with `mohawk_head_free`.
MohawkStatus mohawk_head_of_preset(const char *preset,
                                   const char *const *settings,
                                   MohawkHead **head);

// Returns problems that did not stop the load, a line each. The text is valid until the handle is freed.
const char *mohawk_head_warnings(const MohawkHead *head);

// Writes the matrix to head space, decimetres, from the file in the units and axes of
// `mohawk_hair_save`: 16 numbers, column by column.
MohawkStatus mohawk_head_from_file(const MohawkHead *head,
                                   float *matrix);

// Spreads points over the painted skin, decimetres, with settings of `roots`. Free them with
// `mohawk_roots_free`. Their faces count the triangles of the painted skin.
MohawkStatus mohawk_head_roots(const MohawkHead *head,
                               const char *const *settings,
                               MohawkRoots **roots);

// Frees a head. NULL is ignored. Its hair keeps what it needs.
void mohawk_head_free(MohawkHead *head);

// Grows hair on a head. The style is the name of a preset, the path of a .mohawk file, or NULL.
// Settings are those of `roots`, `groom`, `sim`, `look` and `view`. Free it with `mohawk_hair_free`.
MohawkStatus mohawk_hair_grow(const MohawkHead *head,
                              const char *style,
                              const char *const *settings,
                              MohawkHair **hair);

// Takes strands in the air: three coordinates for each point of each strand, root first, decimetres.
// Each strand has the same number of points, at least 2. Free it with `mohawk_hair_free`.
MohawkStatus mohawk_hair_of_strands(const float *points,
                                    size_t strands,
                                    size_t points_per_strand,
                                    MohawkHair **hair);

// Returns the number of strands.
size_t mohawk_hair_count(const MohawkHair *hair);

// Returns three coordinates for each root, head space, decimetres. They are valid until the handle is
// freed.
const float *mohawk_hair_roots(const MohawkHair *hair);

// Returns the unit normal of the skin at each root, three numbers.
const float *mohawk_hair_normals(const MohawkHair *hair);

// Returns the length of each strand, decimetres.
const float *mohawk_hair_lengths(const MohawkHair *hair);

// Writes six numbers: the colour at roots and at tips, sRGB, 0 to 1.
MohawkStatus mohawk_hair_colors(const MohawkHair *hair, float *numbers);

// Writes points along each strand at rest, root first, head space, decimetres: three numbers for each
// of `points_per_strand` points, 2 or more, of each strand.
MohawkStatus mohawk_hair_points(const MohawkHair *hair,
                                size_t points_per_strand,
                                float *numbers);

// Writes the hair at rest to a file in the format of its name: .abc, .usda, .usdc, .usdz, .glb, .hair,
// .tfx, .data, .npz, .obj or .ply. Points are in the units and the place of the file of the head.
MohawkStatus mohawk_hair_save(const MohawkHair *hair,
                              const char *path);

// Frees hair. NULL is ignored. Its simulations keep what they need.
void mohawk_hair_free(MohawkHair *hair);

// Begins a simulation at rest. The scene is a name, the path of a scene file .toml, or NULL: the head
// moves only where poses say so. Settings are those of `sim`, such as "sim.solver=ftl". Without hair
// (NULL), a scene brings its own, or hair grows on the head that comes with the library; settings may
// then be of `head`, `roots` and `groom` too. Free it with `mohawk_motion_free`.
MohawkStatus mohawk_motion_new(const MohawkHair *hair,
                               const char *scene,
                               const char *const *settings,
                               MohawkMotion **motion);

// Takes one step, at whose end the head is at a pose: a matrix of 16 numbers, column by column. If it is
// NULL, the head moves as the scene says, or stays.
MohawkStatus mohawk_motion_step(MohawkMotion *motion,
                                const float *pose);

// Advances by seconds, 0 to 60, at whose end the head is at a pose: it turns and moves evenly. Time that
// is no whole step waits.
MohawkStatus mohawk_motion_advance(MohawkMotion *motion,
                                   double seconds,
                                   const float *pose);

// Plays frames of the scene, of which the first is the present, and hands each to a function, which
// must not use the simulation. `fps` is 0.1 to 1000 a second.
MohawkStatus mohawk_motion_play(MohawkMotion *motion,
                                uint32_t frames,
                                double fps,
                                MohawkFrame take,
                                void *data);

// Puts all strands to rest under a pose, or that of the start if it is NULL, at time 0.
MohawkStatus mohawk_motion_reset(MohawkMotion *motion, const float *pose);

// Changes settings of `sim`, also the solver. The motion goes on.
MohawkStatus mohawk_motion_set(MohawkMotion *motion, const char *const *settings);

// Returns the number of strands.
size_t mohawk_motion_strands(const MohawkMotion *motion);

// Returns the number of points of each strand.
size_t mohawk_motion_points_per_strand(const MohawkMotion *motion);

// Returns four numbers for each point of each strand, root first: x, y, z, world space, decimetres, and
// 0. They lie between the last two steps, up to 1/240 s before `mohawk_motion_time`, on a head under
// `mohawk_motion_pose`. They are valid until another function changes or frees the simulation. NULL is an
// error.
const float *mohawk_motion_positions(MohawkMotion *motion);

// Writes the pose that the positions are under: a matrix of 16 numbers, column by column.
MohawkStatus mohawk_motion_pose(const MohawkMotion *motion, float *matrix);

// Returns the simulated time, seconds.
double mohawk_motion_time(const MohawkMotion *motion);

// Writes the strands of `mohawk_motion_positions` to a file, as `mohawk_hair_save` does: on the head as it
// is in its file, however it is turned.
MohawkStatus mohawk_motion_save(const MohawkMotion *motion,
                                const char *path);

// Frees a simulation. NULL is ignored.
void mohawk_motion_free(MohawkMotion *motion);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MOHAWK_H */
