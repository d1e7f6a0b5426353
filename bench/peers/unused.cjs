/** Replaces a package that is loaded but never called. */
module.exports = () => {
  throw new Error('not part of the bench');
};
