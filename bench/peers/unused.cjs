/** Stands for a package that is loaded and never called. */
module.exports = () => {
  throw new Error('not part of the bench');
};
