"""The example slide deck: slides painted as pictures, worn as a scanner would wear them, and bound into a PDF."""
