import ignore, { type Ignore } from 'ignore';

/** Files that never travel, whatever a project lists (platform reference, what is collected). Gitignore patterns. */
const NEVER = ['.gitignore', '.DS_Store', '.git', '*~', '*.swp', '*.swx', '*_tmp_*', '*.#*', '*.nimbella*', '*.deployed*'];

/** Files of a function directory that steer its build and are no part of the function. */
const STEERING = ['/.ignore', '/build.sh', '/build.cmd', '__deployer__.zip'];

/** The filter for directories that a `.include` names. */
export function leftOutAlways(): Ignore {
  return ignore().add(NEVER);
}

/** The filter for a function directory without `.include`: its own `.ignore` lines first, then what never travels. */
export function leftOutOfDirectory(ignoreLines: string): Ignore {
  return ignore().add(ignoreLines).add(NEVER).add(STEERING);
}
