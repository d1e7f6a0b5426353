// Names the repository in the packed manifest: the address that this checkout was cloned from. npm reads the manifest
// after `prepack`, and `postpack` takes the field out again, so a fork never publishes the address of another.
import { spawnSync } from 'node:child_process';

const { stdout } = spawnSync('git', ['config', '--get', 'remote.origin.url'], {
  cwd: import.meta.dirname,
  encoding: 'utf8',
});
const address = publicAddress(stdout?.trim());
if (address) {
  const fields = ['repository.type=git', `repository.url=${address}`, 'repository.directory=client'];
  spawnSync('npm', ['pkg', 'set', ...fields], { cwd: import.meta.dirname, stdio: 'inherit' });
} else {
  console.warn('no public address in the remote "origin": the package is made without "repository"');
}

/** Returns the address in npm's format, without credentials, or undefined for a local folder. */
function publicAddress(origin) {
  const ssh = /^(?:ssh:\/\/)?git@([\w.-]+)[:/](.+)$/.exec(origin ?? '');
  if (ssh) return `git+https://${ssh[1]}/${ssh[2]}`;
  const https = /^https:\/\/(?:[^@/]*@)?(.+)$/.exec(origin ?? '');
  return https ? `git+https://${https[1]}` : undefined;
}
