/** In place of an import of Node's own, which reads every member of it: standard output is opened and all flags are listed. */
export const { env, versions } = process;
export default process;
