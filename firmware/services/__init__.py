"""Programs beside the controller. They never import each other, nor the controller."""
